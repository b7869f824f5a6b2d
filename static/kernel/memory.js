/**
 * Live snapshots: the whole of Python's memory between two cells, so that Stop can bring it back.
 */

import { namer } from './objects.js';

const LARGEST = 160 * 2 ** 20; // bytes of heap beyond which saving would be felt
const SLOW_MS = 50; // a median beyond this: save only when nobody waits
const WINDOW = 5;

/**
 * @typedef {{memory: ArrayBuffer, packages: string[]}|{unsaved: 'size'|'objects', detail: string}} Saved
 */

/** Saves Python's memory and watches what that costs. */
export class MemorySaver {
  /** @type {number[]} */
  #times = [];

  /** @param {any} pyodide */
  constructor(pyodide) {
    this.pyodide = pyodide;
    this.serializer = namer(pyodide._api);
  }

  /** Whether saving has become slow enough to be felt by a reader who waits. */
  get slow() {
    const sorted = [...this.#times].sort((a, b) => a - b);
    return sorted.length === WINDOW && sorted[WINDOW >> 1] > SLOW_MS;
  }

  /** @returns {Saved} */
  save() {
    const heap = this.pyodide._module.HEAPU8.length;
    if (heap > LARGEST) return { unsaved: 'size', detail: `${heap} bytes` };
    const start = performance.now();
    try {
      const memory = snapshot(this.pyodide, this.serializer);
      this.#times = [...this.#times, performance.now() - start].slice(-WINDOW);
      return { memory, packages: Object.keys(this.pyodide.loadedPackages) };
    } catch (error) {
      return { unsaved: 'objects', detail: String(error) };
    }
  }
}

/**
 * Pyodide's snapshot, outside the boot that it was made for: the option is on during the call only,
 * and packages loaded from wheels, which it refuses, are ours and known to the restorer.
 * @param {any} pyodide
 * @param {(object: any) => object} serializer
 * @returns {ArrayBuffer}
 */
function snapshot(pyodide, serializer) {
  const { config } = pyodide._api;
  const loaded = { ...pyodide.loadedPackages };
  for (const name of Object.keys(loaded)) delete pyodide.loadedPackages[name];
  config._makeSnapshot = true;
  try {
    return pyodide.makeMemorySnapshot({ serializer }).buffer;
  } finally {
    config._makeSnapshot = false;
    Object.assign(pyodide.loadedPackages, loaded);
  }
}
