/**
 * Live snapshots: the whole of Python's memory between two cells, so that Stop can bring it back.
 *
 * @typedef {import('../protocol.js').About} About
 * @typedef {import('../protocol.js').Snapshot} Snapshot
 * @typedef {import('../protocol.js').Unsaved} Unsaved
 */

import { takeFiles } from './files.js';
import { namer } from '../../pyodide-snapshot/load/objects.js';

const LARGEST = 160 * 2 ** 20; // bytes of heap beyond which saving would be felt
const SLOW_MS = 50; // a median beyond this: save only when Python has had nothing to do for a while
const WINDOW = 5;
const REST_MS = 100; // cells that were queued have begun by then

/** Saves Python's memory and watches what that costs. */
export class MemorySaver {
  /** @type {number[]} */
  #times = [];

  /** @param {any} pyodide */
  constructor(pyodide) {
    this.pyodide = pyodide;
    this.serializer = namer(pyodide._api);
  }

  /** What saving costs, ms; 0 until it is known. */
  get median() {
    const sorted = [...this.#times].sort((a, b) => a - b);
    return sorted.length === WINDOW ? sorted[WINDOW >> 1] : 0;
  }

  /** @returns {Snapshot|Unsaved} */
  save() {
    const heap = this.pyodide._module.HEAPU8.length;
    if (heap > LARGEST) return { unsaved: 'size', detail: `${heap} bytes` };
    const start = performance.now();
    try {
      const memory = snapshot(this.pyodide, this.serializer);
      const files = takeFiles(this.pyodide.FS);
      this.#times = [...this.#times, performance.now() - start].slice(-WINDOW);
      return { memory, files, packages: Object.keys(this.pyodide.loadedPackages) };
    } catch (error) {
      return { unsaved: 'objects', detail: String(error) };
    }
  }
}

/** Decides when memory is saved: only what changed, and never so that a reader waits for it. */
export class Keeper {
  /** What the unsaved memory holds. @type {About|null} */
  #due = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;

  /**
   * @param {Pick<MemorySaver, 'median'|'save'>} saver
   * @param {(message: import('../protocol.js').MemoryMessage|
   *   import('../protocol.js').UnsavedMessage, transfer: Transferable[]) => void} post
   * @param {number} [rest] - ms of rest before a slow save
   */
  constructor(saver, post, rest = REST_MS) {
    this.saver = saver;
    this.post = post;
    this.rest = rest;
  }

  /** A cell is about to run: a save that waits for a rest is put off until `proceed`. */
  pause() {
    clearTimeout(this.#timer);
  }

  /**
   * A cell has ended.
   * @param {About|null} about - null where it changed nothing
   * @returns {boolean} whether `proceed` will save at once
   */
  ended(about) {
    this.#due = about ?? this.#due;
    return this.#due !== null && !this.#slow;
  }

  get #slow() {
    return this.saver.median > SLOW_MS;
  }

  /** Save, now or after a rest, if there is something to save. */
  proceed() {
    if (!this.#due) return;
    if (!this.#slow) return this.#save();
    const detail = `median ${Math.round(this.saver.median)} ms`;
    this.post({ type: 'unsaved', unsaved: 'slow', detail }, []);
    this.#timer = setTimeout(() => this.#save(), this.rest);
  }

  #save() {
    const about = /** @type {About} */ (this.#due);
    this.#due = null;
    const saved = this.saver.save();
    if (!('memory' in saved)) return this.post({ type: 'unsaved', ...saved }, []);
    const buffers = saved.files.data.map(([, data]) => data.buffer);
    this.post({ type: 'memory', ...saved, ...about }, [saved.memory, ...buffers]);
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
