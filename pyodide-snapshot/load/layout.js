/**
 * The memory layout that a snapshot and its restorer must share: the order in which libraries take
 * their place, the function table's length, and the file formats. The build (Node) and the worker
 * both use this file, so that they can't drift apart.
 *
 * @typedef {[path: string, module: WebAssembly.Module]} Library
 */

export const SITE_PACKAGES = '/lib/python3.14/site-packages/';
export const STDLIB = '/lib/python314.zip';
export const NUMPY_REST = '/lib/numpy_rest.zip';
const GRANULE = 16; // bytes: the unit in which a delta tells what changed

/** The smallest zip: Pyodide wants a stdlib, the snapshot has it in memory already. */
export const EMPTY_ZIP = new Uint8Array([80, 75, 5, 6, ...new Array(18).fill(0)]);

/** A wasm module of one function that does nothing, to take a table slot. */
const NOTHING = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 100, 0, 0, 10, 4, 1, 2, 0,
  11,
]);

/**
 * Where the runtime keeps the table index of its call trampoline, as an index into HEAP32.
 * @param {any} Module
 */
const trampolineSlot = (Module) => {
  const offset = Module.HEAP32[Module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >> 2];
  return (Module.__PyRuntime + offset) >> 2;
};

/**
 * Give the function table the same length everywhere. The runtime adds a trampoline only where
 * WasmGC exists and not on iOS; elsewhere a dummy takes its slot.
 * @param {any} Module
 * @returns {number} this engine's own trampoline, for `putTrampoline`
 */
export function padTable(Module) {
  const trampoline = Module.HEAP32[trampolineSlot(Module)];
  if (!trampoline) {
    const dummy = new WebAssembly.Instance(new WebAssembly.Module(NOTHING)).exports.d;
    Module.addFunction(dummy);
  }
  return trampoline;
}

/** @param {any} Module @param {number} trampoline */
export function putTrampoline(Module, trampoline) {
  Module.HEAP32[trampolineSlot(Module)] = trampoline;
}

/**
 * Link the libraries in the given order; their files stay empty, the code is already here.
 * @param {any} Module
 * @param {Library[]} libraries
 */
export function linkLibraries(Module, libraries) {
  for (const [path] of libraries) writeFile(Module.FS, SITE_PACKAGES + path, new Uint8Array(0));
  for (const [path, module] of libraries) {
    const full = SITE_PACKAGES + path;
    const library = Module.newDSO(full, undefined, 'loading');
    library.refcount = Infinity;
    library.global = false;
    library.exports = Module.loadWebAssemblyModule(module, {}, full, {});
  }
}

/**
 * Write a file, and its folders where they are missing.
 * @param {any} FS @param {string} path @param {Uint8Array|string} data
 */
export function writeFile(FS, path, data) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
  FS.writeFile(path, data);
}

/**
 * Split a bundle: uint32 length of a JSON index [[path, bytes], …], the index, the files.
 * @param {Uint8Array<ArrayBuffer>} bundle
 * @returns {[string, Uint8Array<ArrayBuffer>][]}
 */
export function readBundle(bundle) {
  const view = new DataView(bundle.buffer, bundle.byteOffset);
  const start = 4 + view.getUint32(0, true);
  /** @type {[string, number][]} */
  const index = JSON.parse(new TextDecoder().decode(bundle.subarray(4, start)));
  let at = start;
  return index.map(([path, length]) => [path, bundle.subarray(at, (at += length))]);
}

/**
 * Read a delta: header length, heap length, number of runs, how much of the base is watched, its
 * checksum outside the runs (uint32 each); the snapshot's own header; the gaps before and the
 * lengths of the runs, in granules; the runs' bytes.
 * @param {Uint8Array<ArrayBuffer>} delta
 */
export function readDelta(delta) {
  const [headerLength, heapLength, count, watched, checksum] = new Uint32Array(
    delta.slice(0, 20).buffer,
  );
  const header = delta.slice(20, 20 + headerLength);
  new Uint32Array(header.buffer)[1] = headerLength; // no heap follows: the delta brings it
  const tables = 20 + headerLength;
  const numbers = new Uint32Array(delta.slice(tables, tables + 8 * count).buffer);
  const gaps = numbers.subarray(0, count);
  const lengths = numbers.subarray(count);
  const body = delta.subarray(tables + 8 * count);
  return { header, heapLength, watched, checksum, gaps, lengths, body };
}

/**
 * Make the fresh memory of `Module` the one that was snapshotted.
 * @param {any} Module
 * @param {ReturnType<typeof readDelta>} delta
 * @throws the memory is not the one that the delta was made against
 */
export function applyDelta(Module, { heapLength, watched, checksum, gaps, lengths, body }) {
  if (Module.HEAPU8.length < watched) throw new Error('base memory: too short');
  growTo(Module, heapLength);
  const heap = Module.HEAPU8;
  const words = Module.HEAPU32;
  let sum = 0;
  let to = 0;
  let from = 0;
  for (let i = 0; i < gaps.length; i++) {
    const start = to + gaps[i] * GRANULE;
    sum = checked(words, to, Math.min(start, watched), sum);
    const length = lengths[i] * GRANULE;
    heap.set(body.subarray(from, from + length), start);
    to = start + length;
    from += length;
  }
  sum = checked(words, to, watched, sum);
  if (sum !== checksum) throw new Error(`base memory: checksum ${sum}, expected ${checksum}`);
}

/**
 * Pack what memory goes without at first: how many pieces (uint32); the gaps before and the lengths
 * (uint32 each, bytes); the pieces.
 * @param {[address: number, data: Uint8Array][]} pieces - by address
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function packPieces(pieces) {
  const count = pieces.length;
  const numbers = new Uint32Array(1 + 2 * count);
  numbers[0] = count;
  let end = 0;
  pieces.forEach(([address, data], i) => {
    numbers[1 + i] = address - end;
    numbers[1 + count + i] = data.length;
    end = address + data.length;
  });
  const parts = [new Uint8Array(numbers.buffer), ...pieces.map(([, data]) => data)];
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    packed.set(part, at);
    at += part.length;
  }
  return packed;
}

/**
 * Write pieces where room has been left for them; again does no harm.
 * @param {Uint8Array} heap @param {Uint8Array<ArrayBuffer>} packed
 */
export function fillPieces(heap, packed) {
  const count = new Uint32Array(packed.slice(0, 4).buffer)[0];
  const numbers = new Uint32Array(packed.slice(4, 4 + 8 * count).buffer);
  let from = 4 + 8 * count;
  let to = 0;
  for (let i = 0; i < count; i++) {
    const length = numbers[count + i];
    to += numbers[i];
    heap.set(packed.subarray(from, from + length), to);
    to += length;
    from += length;
  }
}

/**
 * Add the words from byte `start` to byte `end` to a sum modulo 2³².
 * @param {Uint32Array} words @param {number} start @param {number} end @param {number} sum
 */
function checked(words, start, end, sum) {
  for (let i = start >> 2; i < end >> 2; i++) sum = (sum + words[i]) >>> 0;
  return sum;
}

/**
 * Grow the wasm memory; its initial size can't be asked for.
 * @param {any} Module @param {number} length - bytes
 */
export function growTo(Module, length) {
  while (Module.HEAPU8.length < length) {
    if (!Module.growMemory(length)) throw new Error(`no memory: ${length} bytes`);
  }
}
