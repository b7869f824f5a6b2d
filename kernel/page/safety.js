/**
 * What the page keeps of a worker so that its successor can go on: compiled modules, the last good
 * memory, and which cells ran since. Pure bookkeeping.
 *
 * @typedef {import('../protocol.js').Compiled} Compiled
 * @typedef {import('../protocol.js').Saved} Saved
 * @typedef {import('../protocol.js').About} About
 * @typedef {{filename: string, cell: string}} Ran
 * @typedef {object} Loss
 * @property {string[]} variables
 * @property {Ran[]} cells - to run again
 * @property {number} tasks - of asyncio, that are cancelled
 * @property {string[]} files
 */

const RESTORES = 2; // of the same memory, before it counts as bad

export class Safety {
  /** @type {Compiled|undefined} */
  compiled;
  /** @type {Saved|undefined} */
  saved;
  /** Cells whose work is in the namespace, in order. @type {Ran[]} */
  #all = [];
  /** Those of them that the saved memory does not hold. @type {Ran[]} */
  #since = [];
  /** Those that started tasks which are still pending. @type {Ran[]} */
  #spawners = [];
  /** @type {string[]} */
  #names = [];
  #tasks = 0;
  #restores = 0;

  /** A cell ended: what it made is not safe until a memory arrives. @param {Ran} ran @param {About & {changed: boolean}} about */
  ran(ran, { names, tasks, changed }) {
    if (tasks > this.#tasks) this.#spawners = withLast(this.#spawners, ran);
    else if (!tasks) this.#spawners = [];
    this.#tasks = tasks;
    this.#names = names;
    this.#restores = 0;
    if (!changed) return;
    this.#all = withLast(this.#all, ran);
    this.#since = withLast(this.#since, ran);
  }

  /** @param {Saved} saved */
  save(saved) {
    this.saved = saved;
    this.#since = [];
  }

  /** The namespace is empty again. */
  reset() {
    this.saved = undefined;
    this.#forget();
  }

  #forget() {
    this.#all = [];
    this.#since = [];
    this.#spawners = [];
    this.#names = [];
    this.#tasks = 0;
  }

  /** The worker died: what is lost when its successor starts from the last good memory. @returns {Loss} */
  restore() {
    const { saved } = this;
    if (!saved || ++this.#restores > RESTORES) return this.drop();
    const kept = new Set(saved.names);
    const again = new Set([...(saved.tasks ? this.#spawners : []), ...this.#since]);
    const loss = {
      variables: this.#names.filter((name) => !kept.has(name)),
      cells: this.#all.filter((ran) => again.has(ran)),
      tasks: saved.tasks,
      files: saved.files.left,
    };
    this.#all = this.#all.filter((ran) => !this.#since.includes(ran));
    this.#since = [];
    this.#spawners = [];
    this.#names = saved.names;
    this.#tasks = 0;
    this.saved = { ...saved, tasks: 0, files: { ...saved.files, left: [] } }; // told once
    return loss;
  }

  /** Everything is lost. @returns {Loss} */
  drop() {
    const loss = { variables: this.#names, cells: this.#all, tasks: 0, files: [] };
    this.saved = undefined;
    this.#restores = 0;
    this.#forget();
    return loss;
  }
}

/** @param {Ran[]} cells @param {Ran} ran - goes last, once @returns {Ran[]} */
const withLast = (cells, ran) => [...cells.filter(({ cell }) => cell !== ran.cell), ran];
