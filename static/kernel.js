/**
 * The page's end of the kernel: one worker with Python, a queue of cells, and its death and rebirth.
 *
 * Knows nothing of the DOM. Tells what happens by events whose `detail` is data:
 * `state` {state}, `progress` {step, loaded, total}, `lost` {variables, message}, `notice` {message}.
 *
 * @typedef {import('./kernel/types.js').Runtime} Runtime
 * @typedef {import('./kernel/types.js').Outcome} Outcome
 * @typedef {'idle'|'loading'|'ready'|'running'|'failed'} KernelState
 * @typedef {object} RunRequest
 * @property {string} cell - the cell's name
 * @property {string} title - file name in tracebacks
 * @property {string} source
 * @property {(state: 'queued'|'loading'|'running') => void} [onState]
 * @property {(output: {stream: string, text: string}) => void} [onOutput]
 */
import { failure, Jobs } from './kernel/jobs.js';
import { words } from './kernel/words.js';

const HELLO_MS = 15_000; // a worker that says nothing for so long was refused

export class Kernel extends EventTarget {
  /** @type {Worker|null} */
  #worker = null;
  #jobs = new Jobs();
  /** @type {KernelState} */
  #state = 'idle';
  #problem = words.noBoot;
  #inflate = false;
  #fresh = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #hello;

  /** @param {{workerUrl: string, runtime: Runtime}} options */
  constructor({ workerUrl, runtime }) {
    super();
    this.workerUrl = workerUrl;
    const absolute = Object.entries(runtime.files).map(([name, file]) => [
      name,
      { ...file, url: new URL(file.url, location.href).href },
    ]);
    this.runtime = { ...runtime, files: Object.fromEntries(absolute) };
  }

  get state() {
    return this.#state;
  }

  /** Start loading Python, unless it is there or on its way. */
  warm() {
    if (this.#state === 'idle' || this.#state === 'failed') this.#launch();
  }

  /**
   * Run a cell when its turn comes.
   * @param {RunRequest} request
   * @returns {Promise<Outcome>}
   */
  run({ cell, title, source, onState = () => {}, onOutput = () => {} }) {
    return this.#enqueue({ type: 'run', cell, title, source, onState, onOutput });
  }

  /**
   * Start again with an empty namespace.
   * @returns {Promise<Outcome>}
   */
  async reset() {
    if (this.#state === 'idle' || this.#state === 'failed') {
      return { status: 'done', result: null, display: [] };
    }
    if (this.#state === 'running') this.stop();
    const nothing = { cell: '', title: '', source: '', onState() {}, onOutput() {} };
    return this.#enqueue({ type: 'reset', ...nothing });
  }

  /** Stop the running cell and drop those that wait. */
  stop() {
    this.#jobs.settleWaiting(failure('stopped', 'KeyboardInterrupt', words.stoppedQueued));
    if (!this.#jobs.running) return;
    this.#relaunch(failure('stopped', 'KeyboardInterrupt', words.stopped));
  }

  /** @param {Omit<import('./kernel/jobs.js').Job, 'id'|'settle'>} job */
  #enqueue(job) {
    const outcome = this.#jobs.add(job);
    this.warm();
    const waits = this.#state === 'loading' ? 'loading' : 'queued';
    if (this.#state !== 'ready') job.onState(waits);
    this.#pump();
    return outcome;
  }

  /** Hand the next job to a worker that is ready. */
  #pump() {
    if (this.#state !== 'ready' || !this.#worker) return;
    const job = this.#jobs.next();
    if (!job) return;
    this.#setState('running');
    job.onState('running');
    const { id, type, cell, title, source } = job;
    this.#worker.postMessage({ type, id, cell, title, source });
  }

  #launch() {
    this.#setState('loading');
    let worker;
    try {
      worker = new Worker(this.workerUrl, { type: 'module', name: 'kernel' });
    } catch (error) {
      console.error('kernel:', error);
      this.#fail(words.noWorker);
      return;
    }
    this.#worker = worker;
    this.#hello = setTimeout(() => this.#fail(words.noWorker), HELLO_MS);
    worker.onmessage = ({ data }) => {
      if (worker === this.#worker) this.#receive(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker !== this.#worker) return;
      console.warn('kernel: worker error', event.message ?? '');
      if (this.#state === 'loading') this.#fail(words.noWorker);
      else this.#relaunch(failure('internal', 'WorkerError', words.crashed));
    };
    worker.postMessage({
      type: 'boot',
      runtime: this.runtime,
      recipe: 'pyc',
      inflate: this.#inflate,
      fresh: this.#fresh,
    });
  }

  #discard() {
    clearTimeout(this.#hello);
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** Python can't be had now; the next run tries again. @param {string} message */
  #fail(message) {
    this.#discard();
    this.#fresh = true;
    this.#problem = message;
    this.#setState('failed');
    this.#jobs.settleRunning(failure('internal', 'KernelError', message));
    this.#jobs.settleWaiting(failure('internal', 'KernelError', message));
  }

  /**
   * Kill the worker, settle the cell that ran, and start another.
   * @param {import('./kernel/types.js').Failed} outcome
   */
  #relaunch(outcome) {
    this.#discard();
    const message = words.lost(null);
    this.#jobs.settleRunning({ ...outcome, message: `${outcome.message} ${message}` });
    this.#emit('lost', { variables: null, message });
    this.#launch();
  }

  /** @param {any} data - a message of the worker */
  #receive(data) {
    clearTimeout(this.#hello);
    const job = this.#jobs.current(data.id);
    if (data.type === 'loading') this.#emit('progress', data);
    else if (data.type === 'ready') this.#ready(data);
    else if (data.type === 'broken') this.#broken(data);
    else if (data.type === 'output') job?.onOutput({ stream: data.stream, text: data.text });
    else if (job && (data.type === 'done' || data.type === 'failed')) this.#answered(data);
  }

  /** @param {{inflate: boolean}} data */
  #ready({ inflate }) {
    this.#inflate = inflate;
    this.#fresh = false;
    this.#setState('ready');
    this.#pump();
  }

  /** @param {{file: string|null, message: string}} data */
  #broken({ file, message }) {
    console.error(`kernel: ${message}`);
    this.#fail(file ? words.missing(file) : words.noBoot);
  }

  /** @param {any} data */
  #answered({ type: _type, id: _id, ...outcome }) {
    if (outcome.status === 'failed' && outcome.kind === 'internal') {
      console.error(`kernel: ${outcome.message}`);
      this.#relaunch({ ...outcome, message: words.crashed });
      return;
    }
    this.#setState('ready');
    this.#jobs.settleRunning(outcome);
    this.#pump();
  }

  /** @param {KernelState} state */
  #setState(state) {
    if (state === this.#state) return;
    this.#state = state;
    const message = state === 'failed' ? this.#problem : undefined;
    this.#emit('state', { state, message });
  }

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
