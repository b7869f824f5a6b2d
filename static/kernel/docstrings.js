/**
 * The library's docstrings. The snapshot goes without them, since no computation reads them; once
 * Python is there they come and are written where it has left room. Whoever needs them sooner waits.
 */
import { fillDocstrings } from './layout.js';
import { bring } from './lazy.js';

/** What a cell that may read docstrings has in its text. */
const READS = /doc|help|inspect/i;

/** @param {string} source - a cell's */
export const readsDocstrings = (source) => READS.test(source);

/** The docstrings of one interpreter. */
export class Docstrings {
  /** @type {Promise<void>|null} */
  #coming = null;
  #here = false;

  /**
   * @param {any} Module
   * @param {import('./types.js').RuntimeFile} file
   * @param {() => Promise<Uint8Array<ArrayBuffer>>} bytes - brings it, checked
   */
  constructor(Module, file, bytes) {
    this.Module = Module;
    this.file = file;
    this.bytes = bytes;
  }

  /** Bring them; without them Python works all the same, so a failure is only told. */
  async come() {
    this.#coming ??= this.bytes().then((packed) => this.#fill(packed));
    await this.#coming.catch((problem) => {
      this.#coming = null; // whoever asks next asks again
      console.warn('kernel: no docstrings:', problem);
    });
  }

  /** Bring them while Python waits. */
  now() {
    if (this.#here) return;
    try {
      this.#fill(bring(this.file));
    } catch (problem) {
      console.warn('kernel: no docstrings:', problem);
    }
  }

  /** @param {Uint8Array<ArrayBuffer>} packed */
  #fill(packed) {
    if (!this.#here) fillDocstrings(this.Module.HEAPU8, packed);
    this.#here = true;
  }
}
