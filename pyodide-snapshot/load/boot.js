/**
 * Boot Pyodide with NumPy from the site's own files. Every recipe gives the same interpreter:
 *
 * - `snapshot`: the memory that the build made, with NumPy imported, laid over a fresh instance;
 * - `memory`: the same way, from the live snapshot of a worker that is gone;
 * - `pyc`: Pyodide's public options only; slower, and right wherever a snapshot is not.
 *
 * Only a worker may: files of the library that come later are read synchronously.
 *
 * @typedef {import('./types.js').BootOrder} BootOrder
 * @typedef {import('./types.js').Booted} Booted
 * @typedef {(name: string) => void} Mark
 */
import { Deferred } from './deferred.js';
import { Downloads, FileProblem } from './downloads.js';
import { unlessFails, withLocalFiles, withModule } from './intercept.js';
import { addLazyFile } from './lazy.js';
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
} from './layout.js';
import { finder } from './objects.js';
import { Prefetch } from './prefetch.js';

const WASM = 'pyodide.asm.wasm';
const HEADER_ROOM = 2 ** 20; // bytes; a snapshot's own takes a few thousand

/**
 * @param {BootOrder} order
 * @param {{files?: Prefetch, mark?: Mark}} [more] - `files`: who brings them; `mark`: hears when each
 *   phase has ended
 * @returns {Promise<Booted>}
 */
export async function boot(order, { files = new Prefetch(order), mark = () => {} } = {}) {
  const recipe = order.recipe === 'pyc' ? bootPyc : bootFromMemory;
  return recipe(order, files, mark);
}

/**
 * The recipe made of public options only: stdlib, lock and wheels as Pyodide itself loads them.
 * @param {BootOrder} order
 * @param {Prefetch} files
 * @param {Mark} mark
 * @returns {Promise<Booted>}
 */
async function bootPyc({ runtime }, files, mark) {
  const numpy = wheelName(runtime.lock.packages.numpy);
  const foreseen = [WASM, 'stdlib.zip', numpy];
  const pending = Object.fromEntries(foreseen.map((name) => [name, files.get(name)]));
  const [{ loadPyodide }, createModule] = await scripts(files);
  mark('scripts');
  const constants = await Promise.all(
    runtime.recipes.pyc
      .filter((name) => runtime.files[name].memory === 'constants')
      .map((name) => files.get(name)),
  );
  /** @param {any} settings */
  const createPyodideModule = (settings) => {
    const fill = (/** @type {any} */ Module) => {
      for (const pieces of constants) fillPieces(Module.HEAPU8, pieces);
    };
    return createModule({ ...settings, preRun: [...settings.preRun, fill] });
  };
  const base = new URL('.', files.url('pyodide.mjs')).href;
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
 * @param {Prefetch} files
 * @param {Mark} mark
 * @returns {Promise<Booted>}
 */
async function bootFromMemory(order, files, mark) {
  const { runtime, compiled } = order;
  const wasm = compiled?.wasm ?? compileWasm(files).then(marked(mark, 'wasm compiled'));
  const libraries = compiled?.libraries ?? compileLibraries(files, mark);
  const image = imageOf(order, files);
  for (const pending of [wasm, libraries, image]) Promise.resolve(pending).catch(() => {});
  const [{ loadPyodide }, createModule] = await scripts(files, Boolean(compiled));
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
  const base = new URL('.', files.url('pyodide.mjs')).href;
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
  const { inflate } = files;
  const quiet = new Downloads(runtime.files, () => {}, order.patience, { inflate });
  const deferred = new Deferred(pyodide._module, runtime.files, (name) => quiet.bytes(name));
  const before = () => deferred.bringNow(); // modules that come may read it
  addLazyFile(pyodide.FS, STDLIB, runtime.files['stdlib.zip'], before);
  addLazyFile(pyodide.FS, NUMPY_REST, runtime.files['numpy-rest.zip'], before);
  const gone = (order.packages ?? []).filter((name) => !pyodide.loadedPackages[name]);
  if (gone.length) await pyodide.loadPackage(gone, { messageCallback: () => {} });
  return { pyodide, deferred, compiled: { wasm: await wasm, libraries: await libraries } };
}

/**
 * A delta or a live snapshot as a header for Pyodide and a way to fill the heap.
 * @typedef {{header: Uint8Array, apply: (Module: any) => void}} Image
 */

/**
 * What to fill the heap with; who starts ahead of time learns it when its turn comes.
 * @param {BootOrder} order @param {Prefetch} files
 * @returns {Promise<Image>}
 */
async function imageOf(order, files) {
  Object.assign(order, await order.rest);
  return order.memory ? readMemory(order.memory) : readDeltaImage(await files.get('snapshot.bin'));
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
 * @param {Prefetch} files
 */
const compileWasm = async (files) => WebAssembly.compile(await files.get(WASM));

/**
 * NumPy's compiled parts, in the order of the bundle; its metadata is kept aside.
 * @param {Prefetch} files @param {Mark} mark
 * @returns {Promise<import('./layout.js').Library[]>}
 */
async function compileLibraries(files, mark) {
  const bundle = readBundle(await files.get('numpy-libraries.bin'));
  const libraries = bundle.filter(([path]) => path.endsWith('.so'));
  mark('libraries here');
  const modules = await Promise.all(libraries.map(([, code]) => WebAssembly.compile(code)));
  mark('libraries compiled');
  return libraries.map(([path], i) => [path, modules[i]]);
}

/**
 * Pyodide's two scripts.
 * @param {Prefetch} files
 * @param {boolean} [known] - a worker before this one has checked them
 * @returns {Promise<[any, any]>}
 */
async function scripts(files, known = false) {
  const bring = async (/** @type {string} */ name) => {
    try {
      if (!known) await files.get(name); // checked, and then in the HTTP cache for the import
      return await import(files.url(name));
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
 * @template T
 * @param {Mark} mark @param {string} name
 * @returns {(value: T) => T}
 */
const marked = (mark, name) => (value) => {
  mark(name);
  return value;
};
