/**
 * Keeps a worker running: one follows another, each starts by the best recipe that is left, from the
 * last good memory where there is one. Beside the worker in use another stands by, ready but for the
 * memory, so that Stop costs next to nothing.
 *
 * @typedef {import('../protocol.js').Manifest} Manifest
 * @typedef {import('../protocol.js').Recipe} Recipe
 * @typedef {import('./safety.js').Loss} Loss
 * @typedef {import('./launch.js').Told} Told
 * @typedef {{launched: import('./launch.js').Launched|null, recipe: Recipe}} Instance - a worker, and
 *   how it was started
 *
 * @typedef {object} Listener
 * @property {(message: Told) => void} message - what the worker in use says
 * @property {() => void} starting
 * @property {() => void} died
 * @property {(message: string) => void} failed - Python can't be had now
 * @property {(loss: Loss) => void} lost - the memory could not be restored
 */
import { inflates, rememberInflates } from './host.js';
import { launchWorker } from './launch.js';
import { Safety } from './safety.js';
import { words } from '../words.js';

const STANDBY_MS = 150; // of rest, or of a long cell, before it starts: that takes a core a moment
const STANDBY_GB = 4; // a device with less memory goes without

export class Supervisor {
  safety = new Safety();
  /** When each phase of the last boot ended. @type {import('../protocol.js').Phase[]} */
  phases = [];
  /** @type {Instance|null} */
  #current = null;
  /** @type {Instance|null} */
  #standby = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #standbyTimer;
  #withoutStandby = (/** @type {any} */ (navigator).deviceMemory ?? STANDBY_GB) < STANDBY_GB;
  #recipe;
  #fresh = false;

  /**
   * @param {{workerUrl: string, runtime: Manifest, recipe: Recipe, interrupt?: SharedArrayBuffer,
   *   patience: import('./patience.js').Patience}} place
   * @param {Listener} listener
   */
  constructor({ workerUrl, runtime, recipe, interrupt, patience }, listener) {
    this.workerUrl = workerUrl;
    this.runtime = runtime;
    this.interrupt = interrupt;
    this.patience = patience;
    this.listener = listener;
    this.#recipe = recipe;
  }

  /** The worker in use. */
  get worker() {
    return this.#current?.launched ?? null;
  }

  /** How it was started. */
  get recipe() {
    return this.#current?.recipe;
  }

  /** Start the next worker. */
  start() {
    this.#start(this.safety.saved ? 'memory' : this.#recipe);
  }

  /** @param {Recipe} recipe */
  #start(recipe) {
    this.listener.starting();
    clearTimeout(this.#standbyTimer);
    const { saved } = this.safety;
    const { memory, packages, files } = (recipe === 'memory' && saved) || {};
    const order = { recipe, memory, packages, files };
    const standby = this.#standby;
    this.#standby = null;
    if (standby && recipe !== 'pyc') {
      this.#current = standby;
      standby.recipe = recipe;
      standby.launched?.post({ type: 'go', ...order });
    } else {
      standby?.launched?.end();
      this.#current = this.#launch({ ...order, standby: false });
    }
  }

  /**
   * @param {import('../protocol.js').Start & {standby: boolean}} order
   * @returns {Instance}
   */
  #launch(order) {
    /** @type {Instance} */
    const instance = { launched: null, recipe: order.recipe };
    const common = {
      runtime: this.runtime,
      patience: this.patience,
      compiled: this.safety.compiled,
      interrupt: this.interrupt,
      inflate: inflates(),
      fresh: this.#fresh,
    };
    /** It can't be had; of one that stands by nobody is told. @param {() => void} act */
    const gone = (act) => {
      if (instance === this.#current) act();
      else if (instance === this.#standby) {
        this.#withoutStandby = true; // one try is enough
        this.#endStandby();
      }
    };
    instance.launched = launchWorker(this.workerUrl, { ...common, ...order }, {
      message: (message) => {
        if (message.type === 'broken') gone(() => this.#broken(instance.recipe, message));
        else if (instance === this.#current) this.#receive(message);
      },
      refused: () => gone(() => this.fail(words.noWorker)),
      died: () => gone(this.listener.died),
    });
    return instance;
  }

  /** @param {Told} message */
  #receive(message) {
    if (message.type === 'ready') {
      rememberInflates(message.inflate);
      this.#fresh = false;
      this.safety.compiled = message.compiled;
      this.phases = message.phases;
    }
    this.listener.message(message);
  }

  /**
   * A recipe failed: the next safer one, as long as there is one.
   * @param {Recipe} recipe
   * @param {import('../protocol.js').BrokenMessage} broken
   */
  #broken(recipe, { file, message }) {
    console.warn(`kernel: recipe ${recipe}: ${message}`);
    this.end();
    this.#fresh = file !== null; // the HTTP cache may hold a wrong file: go past it
    if (recipe === 'memory') {
      this.listener.lost(this.safety.drop());
      this.start();
    } else if (recipe === 'snapshot' && !(file && this.runtime.recipes.pyc.includes(file))) {
      this.#recipe = 'pyc';
      this.start();
    } else this.fail(file ? words.missing(file) : words.noBoot);
  }

  /** Python can't be had now; the next start asks the network again. @param {string} message */
  fail(message) {
    this.end();
    this.#endStandby();
    this.#fresh = true;
    this.listener.failed(message);
  }

  /** End the worker in use. */
  end() {
    this.worker?.end();
    this.#current = null;
  }

  /** Python has begun a cell or a rest: if that lasts, get a successor ready. */
  prepare() {
    clearTimeout(this.#standbyTimer);
    if (this.#standby || this.#withoutStandby || !this.safety.compiled) return;
    this.#standbyTimer = setTimeout(() => {
      this.#standby = this.#launch({ recipe: 'memory', standby: true });
    }, STANDBY_MS);
  }

  #endStandby() {
    clearTimeout(this.#standbyTimer);
    this.#standby?.launched?.end();
    this.#standby = null;
  }
}
