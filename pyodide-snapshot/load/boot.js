/**
 * Boot Pyodide from the site's own files. Every recipe gives the same interpreter:
 *
 * - `snapshot`: the memory that the build made, with NumPy imported, laid over a fresh instance;
 * - `memory`: the same way, from the live snapshot of a worker that is gone;
 * - `pyc`: Pyodide's public options only; slower, and right wherever a snapshot is not.
 *
 * @typedef {import('../../kernel/protocol.js').BootOrder} BootOrder
 * @typedef {import('../../kernel/protocol.js').Compiled} Compiled
 * @typedef {import('./prefetch.js').Supplies} Supplies
 * @typedef {(name: string) => void} Mark
 * @typedef {object} Booted
 * @property {any} pyodide
 * @property {Compiled} [compiled]
 * @property {Late} [late] - what its memory has come without
 *
 * @typedef {Booted & {later: () => Promise<void>}} Ready - `later` brings what the first cell can do without
 */
import { Downloads, FileProblem } from './downloads.js';
import { unlessFails, withLocalFiles, withModule } from './intercept.js';
import { putFiles } from '../../kernel/worker/files.js';
import { Late, TABLES } from './deferred.js';
import { addLazyBundle, addLazyFile } from './lazy.js';
import {
  applyDelta,
  EMPTY_ZIP,
  fillPieces,
  growTo,
  linkLibraries,
  NUMPY_REST,
  padTable,
  putTrampoline,
  readBundle,
  readDelta,
  STDLIB,
  writeFile,
} from './layout.js';
import { finder } from './objects.js';

const KERNEL_FOLDER = '/kernel'; // the Python that runs cells
export const LESSON_FOLDER = '/lesson'; // the modules that cells import
const MICROPIP = '/lib/micropip.whl';
const WASM = 'pyodide.asm.wasm';
const HEADER_ROOM = 2 ** 20; // bytes; a snapshot's own takes a few thousand

/**
 * @param {BootOrder} order
 * @param {Supplies} supplies
 * @param {Mark} mark
 * @returns {Promise<Ready>}
 */
export async function boot(order, supplies, mark) {
  const lesson = supplies.get('lesson.bin');
  const recipe = order.recipe === 'pyc' ? bootPyc : bootFromMemory;
  const booted = await recipe(order, supplies, mark);
  if (order.files) putFiles(booted.pyodide.FS, order.files);
  addMicropip(booted.pyodide.FS, order.runtime);
  const modules = installLesson(booted.pyodide, await lesson, order.runtime.files);
  addLessonData(booted.pyodide.FS, order.runtime.files);
  mark('lesson');
  const later = async () => {
    await modules();
    await booted.late?.come();
  };
  return { ...booted, later };
}

/**
 * What the lesson's modules read from beside them comes when they first read it.
 * @param {any} FS
 * @param {Record<string, import('../../kernel/protocol.js').RuntimeFile>} files
 */
function addLessonData(FS, files) {
  for (const [name, file] of Object.entries(files)) {
    if (!name.startsWith('data/')) continue;
    FS.mkdirTree(`${LESSON_FOLDER}/data`);
    addLazyFile(FS, `${LESSON_FOLDER}/${name}`, file);
  }
}

/**
 * The recipe made of public options only: stdlib, lock and wheels as Pyodide itself loads them.
 * @param {BootOrder} order
 * @param {Supplies} supplies
 * @param {Mark} mark
 * @returns {Promise<Booted>}
 */
async function bootPyc({ runtime }, supplies, mark) {
  const numpy = wheelName(runtime.lock.packages.numpy);
  const files = [WASM, 'stdlib.zip', numpy];
  const pending = Object.fromEntries(files.map((name) => [name, supplies.get(name)]));
  const [{ loadPyodide }, createModule] = await scripts(supplies);
  mark('scripts');
  const tables = await supplies.get(TABLES);
  /** @param {any} settings */
  const createPyodideModule = (settings) => {
    const fill = (/** @type {any} */ Module) => fillPieces(Module.HEAPU8, tables);
    return createModule({ ...settings, preRun: [...settings.preRun, fill] });
  };
  const base = new URL('.', supplies.url('pyodide.mjs')).href;
  const booting = withLocalFiles(pending, async () => {
    const loaded = await loadPyodide({
      indexURL: base,
      createPyodideModule,
      stdLibURL: `${base}stdlib.zip`,
      lockFileContents: runtime.lock,
      packageBaseUrl: base,
    });
    mark('python');
    await loaded.loadPackage('numpy', { checkIntegrity: false, messageCallback: () => {} });
    return loaded;
  });
  const pyodide = await unlessFails(pending[WASM], booting);
  mark('numpy');
  return { pyodide };
}

/**
 * The recipes that lay a memory over a fresh instance.
 * @param {BootOrder} order
 * @param {Supplies} supplies
 * @param {Mark} mark
 * @returns {Promise<Booted>}
 */
async function bootFromMemory(order, supplies, mark) {
  const { runtime, compiled } = order;
  const wasm = compiled?.wasm ?? compileWasm(supplies).then(marked(mark, 'wasm compiled'));
  const libraries = compiled?.libraries ?? compileLibraries(supplies, mark);
  const image = imageOf(order, supplies);
  for (const pending of [wasm, libraries, image]) Promise.resolve(pending).catch(() => {});
  const [{ loadPyodide }, createModule] = await scripts(supplies, Boolean(compiled));
  mark('scripts');

  const header = new Uint8Array(HEADER_ROOM); // wanted before the instance, filled after it
  /** @type {any} */
  let module;
  /** @param {any} settings */
  const createPyodideModule = async (settings) => {
    let trampoline = 0;
    let unlinked = (/** @type {unknown} */ _problem) => {};
    const linking = new Promise((_, reject) => (unlinked = reject));
    settings.noInitialRun = true;
    settings.preRun = [
      ...settings.preRun,
      (/** @type {any} */ Module) => {
        mark('before linking');
        Module.addRunDependency('libraries'); // they may still be on their way
        const link = async () => {
          trampoline = padTable(Module);
          linkLibraries(Module, await libraries);
          if (Module.wasmTable.length !== runtime.table) {
            throw new Error(`function table: ${Module.wasmTable.length}, not ${runtime.table}`);
          }
          mark('linked');
          Module.removeRunDependency('libraries');
        };
        link().catch(unlinked);
      },
    ];
    const Module = await Promise.race([createModule(settings), linking]);
    module = Module;
    mark('instance');
    const { header: own, apply } = await image;
    mark('image');
    header.set(own);
    new Uint32Array(header.buffer)[1] = header.length; // no heap follows: `apply` has brought it
    apply(Module);
    putTrampoline(Module, trampoline);
    mark('memory');
    return Module;
  };
  const base = new URL('.', supplies.url('pyodide.mjs')).href;
  const local = { [WASM]: new Uint8Array(0), 'empty.zip': EMPTY_ZIP };
  const booting = withLocalFiles(local, () =>
    withModule(wasm, () =>
      loadPyodide({
        indexURL: base,
        createPyodideModule,
        stdLibURL: `${base}empty.zip`,
        lockFileContents: runtime.lock,
        packageBaseUrl: base,
        _snapshotDeserializer: (/** @type {any} */ named) => finder(module.API)(named),
        _loadSnapshot: header,
      }),
    ),
  );
  const pyodide = await unlessFails(wasm, booting);
  mark('python');
  pyodide.loadedPackages.numpy = 'default channel'; // so that micropip sees it
  const { inflate } = supplies;
  const quiet = new Downloads(runtime.files, () => {}, order.patience, { inflate });
  const late = new Late(pyodide._module, runtime.files, (name) => quiet.bytes(name));
  const before = () => late.now(); // modules that come may read it
  addLazyFile(pyodide.FS, STDLIB, runtime.files['stdlib.zip'], before);
  addLazyFile(pyodide.FS, NUMPY_REST, runtime.files['numpy-rest.zip'], before);
  const gone = (order.packages ?? []).filter((name) => !pyodide.loadedPackages[name]);
  if (gone.length) await pyodide.loadPackage(gone, { messageCallback: () => {} });
  return { pyodide, late, compiled: { wasm: await wasm, libraries: await libraries } };
}

/**
 * A delta or a live snapshot as a header for Pyodide and a way to fill the heap.
 * @typedef {{header: Uint8Array, apply: (Module: any) => void}} Image
 */

/**
 * What to fill the heap with; a shadow is told when its turn comes.
 * @param {BootOrder} order @param {Supplies} supplies
 * @returns {Promise<Image>}
 */
async function imageOf(order, supplies) {
  Object.assign(order, await order.rest);
  return order.memory ? readMemory(order.memory) : readDeltaImage(await supplies.get('snapshot.bin'));
}

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Image} */
function readDeltaImage(bytes) {
  const delta = readDelta(bytes);
  return { header: delta.header, apply: (Module) => applyDelta(Module, delta) };
}

/** @param {ArrayBuffer} memory @returns {Image} */
function readMemory(memory) {
  const offset = new Uint32Array(memory, 4, 1)[0];
  const heap = new Uint8Array(memory, offset);
  return {
    header: new Uint8Array(memory.slice(0, offset)),
    apply: (Module) => {
      growTo(Module, heap.length);
      Module.HEAPU8.set(heap);
    },
  };
}

/**
 * The interpreter, compiled once it is whole and checked: with what the engine compiles only when it
 * runs, that is as quick as compiling what comes, and quicker than bringing it twice to check it.
 * @param {Supplies} supplies
 */
const compileWasm = async (supplies) => WebAssembly.compile(await supplies.get(WASM));

/**
 * NumPy's compiled parts, in the order of the bundle; its metadata is kept aside.
 * @param {Supplies} supplies @param {Mark} mark
 * @returns {Promise<import('./layout.js').Library[]>}
 */
async function compileLibraries(supplies, mark) {
  const bundle = readBundle(await supplies.get('numpy-libraries.bin'));
  const libraries = bundle.filter(([path]) => path.endsWith('.so'));
  mark('libraries here');
  const modules = await Promise.all(libraries.map(([, code]) => WebAssembly.compile(code)));
  mark('libraries compiled');
  return libraries.map(([path], i) => [path, modules[i]]);
}

/**
 * Pyodide's two scripts.
 * @param {Supplies} supplies
 * @param {boolean} [known] - a worker before this one has checked them
 * @returns {Promise<[any, any]>}
 */
async function scripts(supplies, known = false) {
  const bring = async (/** @type {string} */ name) => {
    try {
      if (!known) await supplies.get(name); // checked, and then in the HTTP cache for the import
      return await import(supplies.url(name));
    } catch (error) {
      if (error instanceof FileProblem) throw error;
      throw new FileProblem(name, String(error));
    }
  };
  const [front, core] = await Promise.all(['pyodide.mjs', 'pyodide.asm.mjs'].map(bring));
  return [front, core.default];
}

/** @param {{file_name: string}} entry - of the lock; its file_name may be a URL */
const wheelName = ({ file_name: name }) => name.slice(name.lastIndexOf('/') + 1);

/**
 * Put micropip's wheel, itself a zip to import from, where it comes on demand.
 * @param {any} FS @param {import('../../kernel/protocol.js').Runtime} runtime
 */
function addMicropip(FS, { lock, files }) {
  addLazyFile(FS, MICROPIP, files[wheelName(lock.packages.micropip)]);
}

/**
 * Write the lesson's modules where `import` finds them: those of every run at once, with their
 * compiled form; the others come later.
 * @param {any} pyodide
 * @param {Uint8Array<ArrayBuffer>} bundle
 * @param {Record<string, import('../../kernel/protocol.js').RuntimeFile>} files
 */
function installLesson(pyodide, bundle, files) {
  const [[, index], ...early] = readBundle(bundle);
  for (const [path, data] of early) writeFile(pyodide.FS, path, data);
  const rest = JSON.parse(new TextDecoder().decode(index));
  const later = addLazyBundle(pyodide.FS, rest, files['lesson-rest.bin']);
  const sys = pyodide.pyimport('sys');
  const path = sys.path;
  for (const entry of [KERNEL_FOLDER, LESSON_FOLDER, MICROPIP]) {
    if (!path.includes(entry)) path.append(entry);
  }
  path.destroy();
  sys.destroy();
  return later;
}

/**
 * @template T
 * @param {Mark} mark @param {string} name
 * @returns {(value: T) => T}
 */
const marked = (mark, name) => (value) => {
  mark(name);
  return value;
};
