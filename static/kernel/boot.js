/**
 * Boot Pyodide from the site's own files; each recipe gives the same interpreter.
 *
 * @typedef {import('./types.js').BootOrder} BootOrder
 * @typedef {import('./downloads.js').Downloads} Downloads
 */
import { FileProblem } from './downloads.js';

export const LESSON_FOLDER = '/lesson';

/**
 * The recipe made of public options only: stdlib, lock and wheels as Pyodide itself loads them.
 * @param {BootOrder} order
 * @param {Downloads} downloads
 */
export async function bootPyc(order, downloads) {
  const { runtime } = order;
  const numpy = runtime.lock.packages.numpy.file_name;
  downloads.expect(runtime.recipes.pyc);
  const binary = ['pyodide.asm.wasm', 'stdlib.zip', numpy];
  const pending = Object.fromEntries(binary.map((name) => [name, downloads.bytes(name)]));
  const lesson = downloads.bytes('lesson.json');
  for (const file of Object.values(pending)) file.catch(() => {}); // awaited below, in order
  const [{ loadPyodide }, createPyodideModule] = await scripts(downloads);
  const base = new URL('.', downloads.url('pyodide.mjs')).href;
  const pyodide = await withLocalFiles(pending, async () => {
    const loaded = await loadPyodide({
      indexURL: base,
      createPyodideModule,
      stdLibURL: `${base}stdlib.zip`,
      lockFileContents: runtime.lock,
      packageBaseUrl: base,
    });
    await loaded.loadPackage('numpy', { checkIntegrity: false, messageCallback: () => {} });
    return loaded;
  });
  installLesson(pyodide, await lesson);
  return pyodide;
}

/**
 * Pyodide's two scripts.
 * @param {Downloads} downloads
 * @returns {Promise<[any, any]>}
 */
export async function scripts(downloads) {
  const bring = async (/** @type {string} */ name) => {
    try {
      const module = await import(downloads.url(name));
      downloads.arrived(name);
      return module;
    } catch (error) {
      throw new FileProblem(name, String(error));
    }
  };
  const [front, core] = await Promise.all(['pyodide.mjs', 'pyodide.asm.mjs'].map(bring));
  return [front, core.default];
}

/**
 * During `work`, answer Pyodide's own fetches of these files with the bytes we already checked.
 * @template T
 * @param {Record<string, Promise<Uint8Array<ArrayBuffer>>>} files
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLocalFiles(files, work) {
  const real = self.fetch;
  self.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const found = Object.keys(files).find((name) => url.endsWith(`/${name}`));
    if (!found) return real.call(self, input, init);
    const type = found.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
    return new Response(await files[found], { headers: { 'content-type': type } });
  };
  try {
    return await work();
  } finally {
    self.fetch = real;
  }
}

/**
 * Write the lesson's modules where `import` finds them.
 * @param {any} pyodide
 * @param {Uint8Array} bundle - JSON of file name → source
 */
export function installLesson(pyodide, bundle) {
  const sources = JSON.parse(new TextDecoder().decode(bundle));
  pyodide.FS.mkdirTree(LESSON_FOLDER);
  for (const [name, source] of Object.entries(sources)) {
    pyodide.FS.writeFile(`${LESSON_FOLDER}/${name}`, source);
  }
  const sys = pyodide.pyimport('sys');
  const path = sys.path;
  path.append(LESSON_FOLDER);
  path.destroy();
  sys.destroy();
}
