/**
 * The workers that follow one another: each starts by the best recipe that is left, from the last
 * good memory where there is one. While a worker lives another waits in its shadow, all but the
 * memory in place, so that Stop costs next to nothing.
 *
 * @typedef {import('../protocol.js').Runtime} Runtime
 * @typedef {import('./safety.js').Loss} Loss
 * @typedef {{launched: import('./launch.js').Launched|null, recipe: string}} Life
 *
 * @typedef {object} Listener
 * @property {(data: any) => void} message - what the worker says once it stands
 * @property {() => void} starting
 * @property {() => void} died
 * @property {(message: string) => void} failed - Python can't be had now
 * @property {(loss: Loss) => void} lost - the memory could not be restored
 */
import { inflates, rememberInflates } from './host.js';
import { launchWorker } from './launch.js';
import { Safety } from './safety.js';
import { words } from '../words.js';

const SHADOW_MS = 150; // of rest, or of a long cell, before the shadow starts: it takes a core a moment
const SHADOW_GB = 4; // a device with less memory goes without

export class Lives {
  safety = new Safety();
  /** When each phase of the last boot ended, ms since the worker began. @type {[string, number][]} */
  phases = [];
  /** @type {Life|null} */
  #life = null;
  /** @type {Life|null} */
  #shadow = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #shadowTimer;
  #shadowless = (/** @type {any} */ (navigator).deviceMemory ?? SHADOW_GB) < SHADOW_GB;
  #recipe;
  #fresh = false;

  /**
   * @param {{workerUrl: string, runtime: Runtime, recipe: string, interrupt?: SharedArrayBuffer,
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

  /** The worker that lives. */
  get worker() {
    return this.#life?.launched ?? null;
  }

  /** How the one that lives was started. */
  get recipe() {
    return this.#life?.recipe;
  }

  /** Start the next worker. */
  start() {
    this.#start(this.safety.saved ? 'memory' : this.#recipe);
  }

  /** @param {string} recipe */
  #start(recipe) {
    this.listener.starting();
    clearTimeout(this.#shadowTimer);
    const { saved } = this.safety;
    const { memory, packages, files } = (recipe === 'memory' && saved) || {};
    const order = { recipe, memory, packages, files };
    const shadow = this.#shadow;
    this.#shadow = null;
    if (shadow && recipe !== 'pyc') {
      this.#life = shadow;
      shadow.recipe = recipe;
      shadow.launched?.post({ type: 'go', ...order });
    } else {
      shadow?.launched?.end();
      this.#life = this.#launch({ ...order, shadow: false });
    }
  }

  /**
   * @param {Pick<import('../protocol.js').BootOrder, 'recipe'|'memory'|'packages'|'files'|'shadow'>} order
   * @returns {Life}
   */
  #launch(order) {
    /** @type {Life} */
    const life = { launched: null, recipe: order.recipe };
    const common = {
      runtime: this.runtime,
      patience: this.patience,
      compiled: this.safety.compiled,
      interrupt: this.interrupt,
      inflate: inflates(),
      fresh: this.#fresh,
    };
    /** @param {() => void} act */
    const ifAlive = (act) => {
      if (life === this.#life) act();
      else if (life === this.#shadow) {
        this.#shadowless = true; // it could not be: one try is enough
        this.#endShadow();
      }
    };
    life.launched = launchWorker(this.workerUrl, { ...common, ...order }, {
      message: (data) => {
        if (life === this.#life) this.#receive(life, data);
        else if (data.type === 'broken') ifAlive(() => {});
      },
      refused: () => ifAlive(() => this.fail(words.noWorker)),
      died: () => ifAlive(this.listener.died),
    });
    return life;
  }

  /** @param {Life} life @param {any} data */
  #receive(life, data) {
    if (data.type === 'broken') this.#broken(life.recipe, data);
    else {
      if (data.type === 'ready') this.#ready(data);
      this.listener.message(data);
    }
  }

  /** @param {{inflate: boolean, compiled: any, phases: [string, number][]}} data */
  #ready({ inflate, compiled, phases }) {
    rememberInflates(inflate);
    this.#fresh = false;
    this.safety.compiled = compiled;
    this.phases = phases;
  }

  /**
   * A recipe failed: the next safer one, as long as there is one.
   * @param {string} recipe
   * @param {{file: string|null, altered: boolean, message: string}} data
   */
  #broken(recipe, { file, altered, message }) {
    console.warn(`kernel: recipe ${recipe}: ${message}`);
    this.end();
    const again = file !== null && !this.#fresh; // the HTTP cache may hold a wrong file: go past it
    this.#fresh = file !== null;
    if (recipe === 'memory') {
      this.listener.lost(this.safety.drop());
      this.start();
    } else if (again && altered) this.start();
    else if (recipe === 'snapshot' && !(file && this.runtime.recipes.pyc.includes(file))) {
      this.#recipe = 'pyc';
      this.start();
    } else this.fail(file ? words.missing(file) : words.noBoot);
  }

  /** Python can't be had now; the next start asks the network again. @param {string} message */
  fail(message) {
    this.end();
    this.#endShadow();
    this.#fresh = true;
    this.listener.failed(message);
  }

  /** End the worker that lives. */
  end() {
    this.worker?.end();
    this.#life = null;
  }

  /** Python has begun a cell or a rest: if that lasts, get a successor ready. */
  prepare() {
    clearTimeout(this.#shadowTimer);
    if (this.#shadow || this.#shadowless || !this.safety.compiled) return;
    this.#shadowTimer = setTimeout(() => {
      this.#shadow = this.#launch({ recipe: 'memory', shadow: true });
    }, SHADOW_MS);
  }

  #endShadow() {
    clearTimeout(this.#shadowTimer);
    this.#shadow?.launched?.end();
    this.#shadow = null;
  }
}
