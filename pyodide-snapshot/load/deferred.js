/**
 * What of Python's memory comes late, since hardly a computation reads it: the library's docstrings,
 * Unicode's names, the codecs of East Asia, the code of modules that are imported already. There are
 * zeros there at first. Once Python stands, it comes and is written in its places. Whoever needs it
 * sooner waits.
 */
import { FileProblem } from './downloads.js';
import { fillPieces } from './layout.js';
import { bring } from './lazy.js';

/** What a program that may read docstrings has in its text. */
const READS = /doc|help|inspect/i;
/** The same for constants. Who names a codec needs none: its module comes from the library, and waits. */
const READS_CONSTANTS = /unicodedata|namereplace|\\N|_codecs_|reload|sys\.modules|_frozen|FrozenImporter/;

/** What one interpreter still lacks. */
export class Deferred {
  /** @type {Map<string, import('./types.js').RuntimeFile>} */
  #missing;
  /** @type {Map<string, Promise<void>>} */
  #coming = new Map();

  /**
   * @param {any} Module
   * @param {Record<string, import('./types.js').RuntimeFile>} files
   * @param {(name: string) => Promise<Uint8Array<ArrayBuffer>>} bytes - brings one, checked
   */
  constructor(Module, files, bytes) {
    this.Module = Module;
    this.bytes = bytes;
    this.#missing = new Map(Object.entries(files).filter(([, { memory }]) => memory));
  }

  /**
   * Bring what a program may read.
   * @param {string} source - its text
   * @throws {FileProblem} a file of constants is out of reach, and what comes of it would be wrong
   */
  async bringFor(source) {
    const exact = READS_CONSTANTS.test(source);
    if (exact || READS.test(source)) await this.bringAll();
    const lacking = [...this.#missing].find(([, { memory }]) => memory === 'constants');
    if (exact && lacking) throw new FileProblem(lacking[0], 'missing');
  }

  /** Bring all; most of Python works without it, so a failure is only told. */
  async bringAll() {
    await Promise.all([...this.#missing.keys()].map((name) => this.#bring(name)));
  }

  /** @param {string} name */
  async #bring(name) {
    const coming = this.#coming.get(name) ?? this.bytes(name).then((data) => this.#fill(name, data));
    this.#coming.set(name, coming);
    await coming.catch((problem) => {
      this.#coming.delete(name); // whoever asks next asks again
      console.warn(`python: no ${name}:`, problem);
    });
  }

  /**
   * Bring all while Python waits, before it reads of the library what may need it. There is no time
   * to ask twice, nor a digest; an altered length is seen.
   * @throws a file of constants is out of reach
   */
  bringNow() {
    for (const [name, file] of this.#missing) {
      try {
        this.#fill(name, bring(file));
      } catch (problem) {
        if (file.memory === 'constants') throw problem;
        console.warn(`python: no ${name}:`, problem);
      }
    }
  }

  /** @param {string} name @param {Uint8Array<ArrayBuffer>} packed */
  #fill(name, packed) {
    if (this.#missing.delete(name)) fillPieces(this.Module.HEAPU8, packed);
  }
}
