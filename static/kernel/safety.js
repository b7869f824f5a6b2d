/**
 * What the page keeps of a worker so that its successor can go on: compiled modules, the last good
 * memory, and which cells ran since. Pure bookkeeping.
 *
 * @typedef {import('./types.js').Compiled} Compiled
 * @typedef {import('./types.js').Saved} Saved
 * @typedef {{title: string, cell: string}} Ran
 * @typedef {{variables: string[], cells: Ran[]}} Loss
 */

export class Safety {
  /** @type {Compiled|undefined} */
  compiled;
  /** @type {Saved|undefined} */
  saved;
  /** @type {Ran[]} */
  #since = [];
  /** @type {string[]} */
  #names = [];
  #restores = 0; // of the same memory, without a cell that ended well

  /** A cell ended: what it made is not safe until a memory arrives. @param {Ran} ran @param {string[]} names */
  ran(ran, names) {
    this.#since = [...this.#since.filter(({ cell }) => cell !== ran.cell), ran];
    this.#names = names;
    this.#restores = 0;
  }

  /** @param {Saved} saved */
  save(saved) {
    this.saved = saved;
    this.#since = [];
  }

  /** The namespace is empty again. */
  reset() {
    this.saved = undefined;
    this.#since = [];
    this.#names = [];
  }

  /** What a restart from the last good memory loses. @returns {Loss} */
  loss() {
    const kept = new Set(this.saved?.names);
    const gone = this.#names.filter((name) => !kept.has(name));
    return { variables: gone, cells: this.#since };
  }

  /** The worker died: choose what its successor starts from. A memory that fails twice is dropped. */
  restore() {
    if (++this.#restores > 2) this.saved = undefined;
    const loss = this.loss();
    this.#names = this.saved?.names ?? [];
    this.#since = [];
    return loss;
  }

  /** The last good memory could not be restored: everything is lost. @returns {Loss} */
  drop() {
    this.saved = undefined;
    const loss = { variables: this.#names, cells: this.#since };
    this.reset();
    return loss;
  }
}
