/**
 * Put into a fresh interpreter what the kernel and the lesson bring: the Python that runs cells, the
 * modules that cells import and what those read, micropip, and the files that cells had written.
 *
 * @typedef {import('../protocol.js').Manifest} Manifest
 */
import { addLazyBundle, addLazyFile } from '../../pyodide-snapshot/load/lazy.js';
import { readBundle, writeFile } from '../../pyodide-snapshot/load/layout.js';
import { putFiles } from './files.js';

export const BUNDLE = 'lesson.bin'; // the modules that every run imports
const REST = 'lesson-rest.bin'; // the others
const KERNEL_FOLDER = '/kernel'; // the Python that runs cells
export const LESSON_FOLDER = '/lesson'; // the modules that cells import
const DATA = 'data/'; // how the names of what those modules read begin
const MICROPIP = '/lib/micropip.whl';

/**
 * @param {any} pyodide
 * @param {Uint8Array<ArrayBuffer>} bundle - the content of `BUNDLE`
 * @param {{runtime: Manifest, files?: import('../protocol.js').Files}} order
 * @returns {() => Promise<void>} brings the other modules, without making Python wait
 */
export function install(pyodide, bundle, { runtime, files }) {
  const { FS } = pyodide;
  if (files) putFiles(FS, files);
  // The wheel is itself a zip to import from.
  const { file_name: wheel } = runtime.lock.packages.micropip;
  addLazyFile(FS, MICROPIP, runtime.files[wheel.slice(wheel.lastIndexOf('/') + 1)]);
  const bringRest = addModules(FS, bundle, runtime);
  addData(FS, runtime);
  addToPath(pyodide, [KERNEL_FOLDER, LESSON_FOLDER, MICROPIP]);
  return bringRest;
}

/**
 * Those of every run at once, with their compiled form; the others later.
 * @param {any} FS @param {Uint8Array<ArrayBuffer>} bundle @param {Manifest} runtime
 */
function addModules(FS, bundle, { files }) {
  const [[, index], ...early] = readBundle(bundle);
  for (const [path, data] of early) writeFile(FS, path, data);
  return addLazyBundle(FS, JSON.parse(new TextDecoder().decode(index)), files[REST]);
}

/**
 * What the lesson's modules read from beside them comes when they first read it.
 * @param {any} FS @param {Manifest} runtime
 */
function addData(FS, { files }) {
  FS.mkdirTree(`${LESSON_FOLDER}/${DATA}`);
  for (const [name, file] of Object.entries(files)) {
    if (name.startsWith(DATA)) addLazyFile(FS, `${LESSON_FOLDER}/${name}`, file);
  }
}

/** @param {any} pyodide @param {string[]} folders - where `import` looks, too */
function addToPath(pyodide, folders) {
  const sys = pyodide.pyimport('sys');
  const { path } = sys;
  for (const folder of folders) {
    if (!path.includes(folder)) path.append(folder);
  }
  path.destroy();
  sys.destroy();
}
