/**
 * What of Python's memory comes late, since hardly a computation reads it: the library's docstrings,
 * Unicode's names, the codecs of East Asia, the code of modules that are imported already. There are
 * zeros there at first. Once Python stands it comes and is written in its places. Whoever needs it
 * sooner waits.
 */
import { FileProblem } from './downloads.js';
import { fillPieces } from './layout.js';
import { bring } from './lazy.js';

/** The interpreter's constants; without a snapshot they are wanted at once. */
export const TABLES = 'tables.bin';
const FILES = [TABLES, 'docstrings.bin'];

/** What a cell that may read docstrings has in its text. */
const READS = /doc|help|inspect/i;
/** The same for the tables. Who names a codec needs none: its module comes from the library, and waits. */
const READS_TABLES = /unicodedata|namereplace|\\N|_codecs_|reload|sys\.modules|_frozen|FrozenImporter/;

/** What one interpreter still lacks. */
export class Late {
  /** @type {Map<string, Promise<void>>} */
  #coming = new Map();
  #missing = new Set(FILES);

  /**
   * @param {any} Module
   * @param {Record<string, import('../../kernel/protocol.js').RuntimeFile>} files
   * @param {(name: string) => Promise<Uint8Array<ArrayBuffer>>} bytes - brings one, checked
   */
  constructor(Module, files, bytes) {
    this.Module = Module;
    this.files = files;
    this.bytes = bytes;
  }

  /**
   * Bring what a cell may read.
   * @param {string} source - the cell's
   * @throws {FileProblem} a table is out of reach, and what comes of it would be wrong
   */
  async before(source) {
    const exact = READS_TABLES.test(source);
    if (exact || READS.test(source)) await this.come();
    if (exact && this.#missing.has(TABLES)) throw new FileProblem(TABLES, 'missing');
  }

  /** Bring all; most of Python works without it, so a failure is only told. */
  async come() {
    await Promise.all([...this.#missing].map((name) => this.#come(name)));
  }

  /** @param {string} name */
  async #come(name) {
    const coming = this.#coming.get(name) ?? this.bytes(name).then((data) => this.#fill(name, data));
    this.#coming.set(name, coming);
    await coming.catch((problem) => {
      this.#coming.delete(name); // whoever asks next asks again
      console.warn(`kernel: no ${name}:`, problem);
    });
  }

  /**
   * Bring all while Python waits, before it reads of the library what may need it. There is no time
   * to ask twice, nor a digest; an altered length is seen.
   * @throws a table is out of reach
   */
  now() {
    for (const name of this.#missing) {
      try {
        this.#fill(name, bring(this.files[name]));
      } catch (problem) {
        if (name === TABLES) throw problem;
        console.warn(`kernel: no ${name}:`, problem);
      }
    }
  }

  /** @param {string} name @param {Uint8Array<ArrayBuffer>} packed */
  #fill(name, packed) {
    if (this.#missing.delete(name)) fillPieces(this.Module.HEAPU8, packed);
  }
}
