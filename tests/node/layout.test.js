/** The memory layout that build and worker share: table slots, bundles, deltas, late pieces. */

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  EMPTY_ZIP, SITE_PACKAGES, applyDelta, fillPieces, growTo, linkLibraries, packPieces, padTable,
  putTrampoline, readBundle, readDelta,
} from '../../pyodide-snapshot/load/layout.js';
import { seeded } from './maps.js';

const GRANULE = 16;
const OFFSET_AT = 8; // where the stand-in keeps the trampoline's offset
const RUNTIME = 64;

/** A stand-in for the runtime: its trampoline's table index, 0 where the engine has none. @param {number} trampoline */
function runtime(trampoline) {
  const HEAP32 = new Int32Array(64);
  HEAP32[OFFSET_AT >> 2] = 32;
  HEAP32[(RUNTIME + 32) >> 2] = trampoline;
  const table = [...'abc', ...(trampoline ? ['trampoline'] : [])];
  return {
    HEAP32, table, __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: OFFSET_AT, __PyRuntime: RUNTIME,
    addFunction: (/** @type {any} */ f) => table.push(f),
    get trampoline() {
      return HEAP32[(RUNTIME + 32) >> 2];
    },
  };
}

test('the function table is as long with a trampoline as without one', () => {
  const [modern, old] = [runtime(3), runtime(0)];
  assert.deepEqual([padTable(modern), padTable(old)], [3, 0]);
  assert.equal(modern.table.length, old.table.length);
  assert.equal(typeof old.table.at(-1), 'function', 'a real wasm function takes the slot');
  assert.equal(/** @type {any} */ (old.table.at(-1))(), undefined);
});

test('an engine gets its own trampoline back, whatever the memory brought', () => {
  for (const own of [0, 3]) {
    const module = runtime(own);
    const mine = padTable(module);
    module.HEAP32[(RUNTIME + 32) >> 2] = 77; // the snapshot's
    putTrampoline(module, mine);
    assert.equal(module.trampoline, own);
  }
});

test('libraries are linked in the given order, all files there before the first', () => {
  /** @type {string[]} */
  const story = [];
  const module = {
    FS: { mkdirTree() {}, writeFile: (/** @type {string} */ path) => story.push(`file ${path}`) },
    newDSO: (/** @type {string} */ path) => (story.push(`link ${path}`), {}),
    loadWebAssemblyModule: () => ({}),
  };
  linkLibraries(module, [['b.so', /** @type {any} */ ({})], ['a.so', /** @type {any} */ ({})]]);
  assert.deepEqual(story, ['file', 'link'].flatMap((what) => ['b.so', 'a.so'].map((so) => `${what} ${SITE_PACKAGES}${so}`)));
});

test('the empty zip is a zip: an end record of no entries', () => {
  assert.equal(EMPTY_ZIP.length, 22);
  assert.deepEqual([...EMPTY_ZIP.slice(0, 4)], [0x50, 0x4b, 5, 6]);
  assert.ok(EMPTY_ZIP.slice(4).every((byte) => byte === 0));
});

test('a bundle is read as it was packed, also from within a larger buffer', () => {
  const files = [['a.py', 'hola'], ['vacío', ''], ['b/ñ.bin', '\u0001\u0002']];
  const encoder = new TextEncoder();
  const index = encoder.encode(JSON.stringify(files.map(([path, text]) => [path, text.length])));
  const bundle = new Uint8Array(7 + 4 + index.length + 6).subarray(7);
  new DataView(bundle.buffer, 7).setUint32(0, index.length, true);
  bundle.set(index, 4);
  bundle.set(encoder.encode(files.map(([, text]) => text).join('')), 4 + index.length);
  const read = readBundle(bundle).map(([path, data]) => [path, new TextDecoder().decode(data)]);
  assert.deepEqual(read, files);
});

/**
 * A delta in the build's format, from runs of bytes by address.
 * @param {Uint8Array} base @param {[number, Uint8Array][]} runs @param {number} heapLength
 */
function delta(base, runs, heapLength, headerLength = 8) {
  const gaps = [], lengths = [];
  let end = 0, sum = 0;
  const words = new Uint32Array(base.buffer);
  const watch = (/** @type {number} */ from, /** @type {number} */ to) => {
    for (let at = from; at < Math.min(to, base.length); at += 4) sum = (sum + words[at >> 2]) >>> 0;
  };
  for (const [address, data] of runs) {
    watch(end, address);
    gaps.push((address - end) / GRANULE);
    lengths.push(data.length / GRANULE);
    end = address + data.length;
  }
  watch(end, base.length);
  const header = new Uint32Array(headerLength / 4).fill(5);
  const numbers = new Uint32Array([headerLength, heapLength, runs.length, base.length, sum]);
  const parts = [numbers, header, new Uint32Array([...gaps, ...lengths])].map((part) => Buffer.from(part.buffer));
  return new Uint8Array(Buffer.concat([...parts, ...runs.map(([, data]) => data)]));
}

/** A memory that grows. @param {Uint8Array} base */
function memory(base, limit = Infinity) {
  const module = {
    HEAPU8: base, HEAPU32: new Uint32Array(base.buffer), grown: 0,
    growMemory(/** @type {number} */ length) {
      if (length > limit) return false;
      this.HEAPU8 = new Uint8Array(length);
      this.HEAPU8.set(base);
      this.HEAPU32 = new Uint32Array(this.HEAPU8.buffer);
      this.grown += 1;
      return true;
    },
  };
  return module;
}

test('a delta makes the fresh memory the snapshotted one, wherever the runs lie', () => {
  const random = seeded(17);
  const any = (/** @type {number} */ n) => Math.floor(random() * n);
  for (let round = 0; round < 100; round += 1) {
    const base = Uint8Array.from({ length: GRANULE * 20 }, () => any(256));
    const heapLength = GRANULE * (20 + any(20));
    const wanted = new Uint8Array(heapLength);
    wanted.set(base);
    /** @type {[number, Uint8Array][]} */
    const runs = [];
    for (let at = any(4); at < heapLength / GRANULE;) {
      const long = Math.min(1 + any(4), heapLength / GRANULE - at);
      const data = Uint8Array.from({ length: GRANULE * long }, () => any(256));
      runs.push([at * GRANULE, data]);
      wanted.set(data, at * GRANULE);
      at += long + 1 + any(6);
    }
    const packed = delta(base.slice(), runs, heapLength);
    const module = memory(base.slice());
    const read = readDelta(packed);
    assert.equal(new Uint32Array(read.header.buffer)[1], 8, 'the header says that no heap follows');
    applyDelta(module, read);
    assert.deepEqual(module.HEAPU8, wanted);
  }
});

test('another base memory than the delta’s is refused', () => {
  const base = new Uint8Array(GRANULE * 4).fill(1);
  const read = readDelta(delta(base.slice(), [[GRANULE, new Uint8Array(GRANULE)]], base.length));
  const other = base.slice();
  other[GRANULE * 3] = 2;
  assert.throws(() => applyDelta(memory(other), read), /base memory: checksum/);
  assert.throws(() => applyDelta(memory(base.slice(0, GRANULE * 2)), read), /base memory: too short/);
  const within = base.slice();
  within[GRANULE] = 2; // overwritten anyway
  applyDelta(memory(within), read);
});

test('memory grows as far as it must, and says so where it cannot', () => {
  const module = memory(new Uint8Array(16), 64);
  growTo(module, 16);
  assert.equal(module.grown, 0);
  growTo(module, 64);
  assert.equal(module.HEAPU8.length, 64);
  assert.throws(() => growTo(module, 65), /no memory: 65 bytes/);
});

test('pieces that come late fill their places and nothing else, once or twice', () => {
  const random = seeded(18);
  const any = (/** @type {number} */ n) => Math.floor(random() * n);
  for (let round = 0; round < 100; round += 1) {
    const full = Uint8Array.from({ length: 200 }, () => any(256));
    /** @type {[number, Uint8Array][]} */
    const pieces = [];
    for (let at = any(20); at < 200; at += 10 + any(30)) pieces.push([at, full.slice(at, at + 1 + any(9))]);
    const heap = full.slice();
    for (const [at, data] of pieces) heap.fill(0, at, at + data.length);
    const packed = packPieces(pieces);
    fillPieces(heap, packed);
    assert.deepEqual(heap, full);
    fillPieces(heap, packed);
    assert.deepEqual(heap, full);
  }
  assert.deepEqual([...packPieces([])], [0, 0, 0, 0]);
});
