/**
 * Make what boots fast, with Pyodide itself under Node: no CPython 3.14 and no browser needed.
 *
 *   node recipe.mjs pack FOLDER      .pyc stdlib, slim NumPy, bundles
 *   node recipe.mjs base FOLDER      memory right after instantiation
 *   node recipe.mjs snapshot FOLDER  memory with NumPy and the stdlib imported; apart, what
 *                                    comes late
 *   node recipe.mjs smoke FOLDER     boot from the delta and compute
 *
 * FOLDER/in holds Pyodide's files, numpy.whl and options.json; FOLDER/out gets the results.
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as layout from '../load/layout.js';

const ASCII_TEXT = 20; // bytes before the characters of a str that is plain ASCII

const [, , step, folder] = process.argv;
const HERE = import.meta.dirname;
const input = (name) => path.join(folder, 'in', name);
const output = (name) => path.join(folder, 'out', name);
const helper = (name) => fs.readFileSync(path.join(HERE, 'python', name), 'utf8');
const read = (file) => new Uint8Array(fs.readFileSync(file));
const load = (name) => import(pathToFileURL(input(name)).href);
const options = JSON.parse(fs.readFileSync(input('options.json'), 'utf8'));

const { loadPyodide } = await load('pyodide.mjs');
const { default: createModule } = await load('pyodide.asm.mjs');
const emptyLock = {
  info: JSON.parse(fs.readFileSync(input('pyodide-lock.json'), 'utf8')).info,
  packages: {},
};

/** Compile the libraries of the bundle, in its order. */
const libraries = () =>
  layout
    .readBundle(read(output('numpy-libraries.bin')))
    .filter(([name]) => name.endsWith('.so'))
    .map(([name, data]) => [name, new WebAssembly.Module(data)]);

/** Write what snapshots find in the file system: NumPy's .pyc and the zips of all the rest. */
function writeFiles(Module) {
  for (const [name, data] of layout.readBundle(read(output('numpy-core.bin')))) {
    layout.writeFile(Module.FS, layout.SITE_PACKAGES + name, data);
  }
  Module.FS.writeFile(layout.NUMPY_REST, read(output('numpy-rest.zip')));
  for (const place of options.folders) Module.FS.mkdirTree(place);
}

const shared = {
  indexURL: path.join(folder, 'in'),
  lockFileContents: emptyLock,
  packageBaseUrl: path.join(folder, 'in'),
  env: { HOME: '/home/pyodide' },
};

const steps = {
  async pack() {
    // Compiled without columns, which only a traceback's ^^^^ below a library's line would show.
    const env = { ...shared.env, PYTHONNODEBUGRANGES: '1' };
    const pyodide = await loadPyodide({ ...shared, env });
    const { FS } = pyodide;
    FS.mkdirTree('/in');
    FS.mkdirTree('/out');
    for (const name of ['python_stdlib.zip', 'numpy.whl', 'options.json']) {
      FS.writeFile(`/in/${name}`, read(input(name)));
    }
    pyodide.unpackArchive(read(input('numpy.whl')), 'wheel', { extractDir: layout.SITE_PACKAGES });
    pyodide.runPython(helper('pack.py'), { filename: 'pack.py' });
    for (const name of FS.readdir('/out')) {
      if (!name.startsWith('.')) fs.writeFileSync(output(name), FS.readFile(`/out/${name}`));
    }
  },

  async base() {
    const Module = await createModule(await settingsOf((Module) => prepare(Module)));
    fs.writeFileSync(output('base.heap'), Module.HEAPU8);
  },

  async snapshot() {
    let table = 0;
    const create = (settings) => {
      settings.preRun = [
        ...settings.preRun,
        (Module) => {
          writeFiles(Module);
          prepare(Module);
          table = Module.wasmTable.length; // what the worker compares before it restores
        },
      ];
      return createModule(settings);
    };
    const pyodide = await loadPyodide({
      ...shared,
      createPyodideModule: create,
      stdLibURL: output('stdlib.zip'),
      _makeSnapshot: true,
    });
    pyodide.globals.set('IMPORTS', pyodide.toPy(options.imports));
    pyodide.globals.set('FOLDERS', pyodide.toPy(options.folders));
    pyodide.runPython(helper('warm.py'), { filename: 'warm.py' });
    for (const name of Object.keys(pyodide.loadedPackages)) delete pyodide.loadedPackages[name];
    const docstrings = takeDocstrings(pyodide);
    blankFreeMemory(pyodide._module);
    const snapshot = pyodide.makeMemorySnapshot();
    const heap = snapshot.subarray(new DataView(snapshot.buffer).getUint32(4, true));
    const base = read(output('base.heap'));
    const tables = options.tables.map(([start, end]) => [start, heap.slice(start, end)]);
    for (const [start, data] of tables) {
      const before = base.subarray(start, start + data.length);
      if (Buffer.compare(before, data)) throw new Error(`the table at ${start} is not constant`);
    }
    fs.writeFileSync(output('tables.bin'), layout.packPieces(tables));
    fs.writeFileSync(output('docstrings.bin'), layout.packPieces(docstrings));
    for (const [address, data] of [...tables, ...docstrings]) {
      heap.fill(0, address, address + data.length);
    }
    fs.writeFileSync(output('snapshot.heap'), snapshot);
    fs.writeFileSync(output('facts.json'), JSON.stringify({ table }));
  },

  async smoke() {
    const delta = layout.readDelta(read(output('snapshot.bin')));
    let trampoline = 0;
    const create = async (settings) => {
      settings.noInitialRun = true;
      settings.preRun = [
        ...settings.preRun,
        (module) => {
          trampoline = layout.padTable(module);
          layout.linkLibraries(module, libraries());
        },
      ];
      const Module = await createModule(settings);
      layout.applyDelta(Module, delta);
      layout.putTrampoline(Module, trampoline);
      return Module;
    };
    fs.writeFileSync(output('empty.zip'), layout.EMPTY_ZIP);
    const pyodide = await loadPyodide({
      ...shared,
      createPyodideModule: create,
      stdLibURL: output('empty.zip'),
      _loadSnapshot: delta.header,
    });
    for (const name of options.late) {
      layout.fillPieces(pyodide._module.HEAPU8, read(output(name))); // as in the page
    }
    pyodide.runPython(helper('smoke.py'), { filename: 'smoke.py' });
  },
};

/**
 * The docstrings that warm.py has listed, by address. They can come later only if nothing else ever
 * takes their place, so each gets a reference that nobody gives back.
 * @returns {[address: number, text: Uint8Array][]}
 */
function takeDocstrings(pyodide) {
  const { FS, _module: Module } = pyodide;
  const listed = new Uint32Array(FS.readFile('/docstrings').buffer);
  FS.unlink('/docstrings');
  const lengths = new Map();
  for (let i = 0; i < listed.length; i += 2) lengths.set(listed[i], listed[i + 1]);
  const { HEAPU8, HEAPU32 } = Module;
  const docstrings = [...lengths]
    .sort(([a], [b]) => a - b)
    .map(([object, length]) => {
      const address = object + ASCII_TEXT;
      const text = HEAPU8.slice(address, address + length);
      const plain = text.every((byte) => byte > 0 && byte < 128) && HEAPU8[address + length] === 0;
      if (HEAPU32[(object >> 2) + 2] !== length || !plain) {
        throw new Error(`no text of ${length} characters at ${object}: adapt ASCII_TEXT`);
      }
      Module._Py_IncRef(object);
      return [address, text];
    });
  pyodide.runPython('del DOCSTRINGS');
  return docstrings;
}

/**
 * Fill with zeros what malloc has free: stale bytes would travel in the snapshot for nothing.
 * Takes every free block, largest first, blanks it, and gives all back.
 */
function blankFreeMemory(Module) {
  const limit = Module._malloc_footprint_limit();
  Module._malloc_set_footprint_limit(Module._malloc_footprint()); // take no new memory
  const taken = [];
  for (let size = 2 ** 22; size >= 16; size /= 2) {
    for (let block; (block = Module._malloc(size)); taken.push(block)) {
      Module.HEAPU8.fill(0, block, block + size);
    }
  }
  for (const block of taken) Module._free(block);
  Module._malloc_set_footprint_limit(limit);
}

function prepare(Module) {
  layout.padTable(Module);
  layout.linkLibraries(Module, libraries());
}

/** The settings that loadPyodide would give to the module's factory, for a module that never runs. */
async function settingsOf(preRun) {
  return new Promise((resolve) => {
    const createPyodideModule = (settings) => {
      settings.noInitialRun = true;
      settings.preRun = [...settings.preRun, preRun];
      resolve(settings);
      return new Promise(() => {}); // loadPyodide goes no further
    };
    void loadPyodide({ ...shared, createPyodideModule, stdLibURL: output('stdlib.zip') });
  });
}

await steps[step]();
process.exit(0);
