/**
 * The page's end of the kernel: one worker with Python, a queue of cells, and its death and rebirth.
 *
 * Knows nothing of the DOM. Tells what happens by events whose `detail` is data:
 * `state` {state, message?} · `progress` {step, loaded, total, waiting} ·
 * `lost` {variables, cells, message} · `notice` {message}.
 *
 * @typedef {import('./kernel/types.js').Runtime} Runtime
 * @typedef {import('./kernel/types.js').Outcome} Outcome
 * @typedef {import('./kernel/types.js').Failed} Failed
 * @typedef {import('./kernel/safety.js').Loss} Loss
 * @typedef {'idle'|'loading'|'ready'|'running'|'failed'} KernelState
 * @typedef {object} RunRequest
 * @property {string} cell - the cell's name
 * @property {string} title - file name in tracebacks
 * @property {string} source
 * @property {boolean} [scratch] - run in a copy of the namespace: leave no variable behind
 * @property {(state: 'queued'|'loading'|'running') => void} [onState]
 * @property {(output: {stream: string, text: string}) => void} [onOutput]
 * @property {(display: any) => void} [onDisplay] - without it displays come with the outcome
 * @property {(prompt: string) => Promise<string>} [onAsk] - the cell calls `input`
 */
import { inflates, rememberInflates, withAbsoluteUrls } from './kernel/host.js';
import { Interrupt } from './kernel/interrupt.js';
import { failure, Jobs } from './kernel/jobs.js';
import { launchWorker } from './kernel/launch.js';
import { Safety } from './kernel/safety.js';
import { words } from './kernel/words.js';

const DEFAULTS = {
  scratch: false,
  onState() {},
  onOutput() {},
  onDisplay: null,
  onAsk: async () => '',
};
const SAVING_MS = 500; // how long Stop waits for a memory that is being saved
const SWOLLEN = 2 ** 30; // bytes of heap after which a memory error is followed by a fresh worker
const NO_MEMORY = /out of memory|no memory|allocation failed|could not allocate/i;

export class Kernel extends EventTarget {
  /** @type {import('./kernel/launch.js').Launched|null} */
  #worker = null;
  #jobs = new Jobs();
  #safety = new Safety();
  /** @type {KernelState} */
  #state = 'idle';
  #recipe = 'snapshot';
  #fresh = false;
  #saving = false;
  #warned = new Set();
  #interrupt = new Interrupt();
  /** When each phase of the last boot ended, ms since the worker began. @type {[string, number][]} */
  phases = [];

  /** @param {{workerUrl: string, runtime: Runtime, recipe?: string}} options */
  constructor({ workerUrl, runtime, recipe = 'snapshot' }) {
    super();
    this.workerUrl = workerUrl;
    this.#recipe = recipe;
    this.runtime = withAbsoluteUrls(runtime);
  }

  get state() {
    return this.#state;
  }

  /** Start loading Python, unless it is there or on its way. */
  warm() {
    if (this.#state === 'idle' || this.#state === 'failed') this.#launch(this.#recipe);
  }

  /**
   * Run a cell when its turn comes.
   * @param {RunRequest} request
   * @returns {Promise<Outcome>}
   */
  run(request) {
    return this.#enqueue({ type: 'run', ...DEFAULTS, ...request });
  }

  /**
   * Start again with an empty namespace.
   * @returns {Promise<Outcome>}
   */
  async reset() {
    if (this.#state === 'running') this.stop({ gently: false });
    this.#safety.reset();
    this.#warned.clear();
    if (this.#state === 'idle' || this.#state === 'failed') {
      return { status: 'done', result: null, display: [] };
    }
    return this.#enqueue({ type: 'reset', cell: '', title: '', source: '', ...DEFAULTS });
  }

  /**
   * Stop the running cell and drop those that wait.
   * @param {{gently?: boolean}} [options]
   */
  stop({ gently = true } = {}) {
    this.#jobs.settleWaiting(failure('stopped', 'KeyboardInterrupt', words.stoppedQueued));
    if (!this.#jobs.running || this.#interrupt.pressed) return;
    const replace = () => this.#onceSaved(() => this.#replaceStopped());
    const cancel = this.#jobs.running.awaits ? () => this.#worker?.post({ type: 'cancel' }) : null;
    if (gently) this.#interrupt.press(replace, cancel);
    else replace();
  }

  #replaceStopped() {
    this.#replace(failure('stopped', 'KeyboardInterrupt', words.stopped), words.kept);
  }

  /**
   * Wait for the memory that the worker is saving, if it is: it is what the next one starts from.
   * @param {() => void} then
   */
  #onceSaved(then) {
    if (!this.#saving) return then();
    const job = this.#jobs.running;
    const proceed = () => {
      clearTimeout(timer);
      this.removeEventListener('saved', proceed);
      if (job === this.#jobs.running) then();
    };
    const timer = setTimeout(proceed, SAVING_MS);
    this.addEventListener('saved', proceed);
  }

  /** @param {any} [saved] - undefined where the memory could not be saved */
  #saved(saved) {
    this.#saving = false;
    if (saved) this.#safety.save(saved);
    this.#emit('saved', {});
  }

  /**
   * What the editor wants to know of the live namespace; null while Python is busy or away.
   * @param {{what: 'complete', source: string, offset: number}|{what: 'describe', name: string}} question
   * @returns {Promise<any>}
   */
  async inspect(question) {
    return this.#state === 'ready' && this.#worker ? this.#worker.ask('inspect', question) : null;
  }

  /**
   * The whole text that the last cell wrote, up to a cap: the page got the end of it only.
   * @returns {Promise<string>}
   */
  async text() {
    return this.#worker ? this.#worker.ask('text') : '';
  }

  /** @param {Omit<import('./kernel/jobs.js').Job, 'id'|'settle'>} job */
  #enqueue(job) {
    const outcome = this.#jobs.add(job);
    this.warm();
    if (this.#state !== 'ready') job.onState(this.#state === 'loading' ? 'loading' : 'queued');
    this.#pump();
    return outcome;
  }

  /** Hand the next job to a worker that is ready. */
  #pump() {
    if (this.#state !== 'ready' || !this.#worker) return;
    const job = this.#jobs.next();
    if (!job) return;
    this.#interrupt.release();
    this.#setState('running');
    job.onState('running');
    const { id, type, cell, title, source, scratch } = job;
    this.#worker.post({ type, id, cell, title, source, scratch });
  }

  /** @param {string} recipe */
  #launch(recipe) {
    this.#setState('loading');
    const { compiled, saved } = this.#safety;
    const order = {
      runtime: this.runtime,
      recipe,
      compiled,
      memory: recipe === 'memory' ? saved?.memory : undefined,
      packages: saved?.packages,
      interrupt: this.#interrupt.buffer,
      inflate: inflates(),
      fresh: this.#fresh,
    };
    this.#worker = launchWorker(this.workerUrl, order, {
      message: (data) => this.#receive(data, recipe),
      refused: () => this.#fail(words.noWorker),
      died: () => this.#replace(failure('internal', 'WorkerDied', words.crashed), words.restored),
    });
  }

  #discard() {
    this.#interrupt.release();
    this.#saving = false;
    this.#worker?.end();
    this.#worker = null;
  }

  /** Python can't be had now; the next run tries again. @param {string} message */
  #fail(message) {
    this.#discard();
    this.#fresh = true;
    this.#setState('failed', message);
    this.#jobs.settleRunning(failure('internal', 'KernelError', message));
    this.#jobs.settleWaiting(failure('internal', 'KernelError', message));
  }

  /**
   * Replace the worker by one that starts from the last good memory; settle the cell that ran.
   * @param {Failed} outcome
   * @param {string} kept - what to say when nothing is lost
   */
  #replace(outcome, kept) {
    this.#discard();
    const loss = this.#safety.restore();
    const message = this.#tell(loss, kept);
    this.#jobs.settleRunning({ ...outcome, message: `${outcome.message} ${message}` });
    this.#launch(this.#safety.saved ? 'memory' : this.#recipe);
  }

  /**
   * Say what a restart lost, or that it lost nothing.
   * @param {Loss} loss @param {string} kept
   * @returns {string}
   */
  #tell({ variables, cells }, kept) {
    if (!variables.length && !cells.length) {
      this.#emit('notice', { message: kept });
      return kept;
    }
    const message = words.lost(variables, cells.map(({ title }) => title));
    this.#emit('lost', { variables, cells: cells.map(({ cell }) => cell), message });
    return message;
  }

  /** @param {any} data - a message of the worker @param {string} recipe */
  #receive(data, recipe) {
    const job = this.#jobs.current(data.id);
    if (data.type === 'loading') this.#emit('progress', data);
    else if (data.type === 'ready') this.#ready(data);
    else if (data.type === 'broken') this.#broken(data, recipe);
    else if (data.type === 'output') job?.onOutput({ stream: data.stream, text: data.text });
    else if (data.type === 'display') this.#show(job, data.display);
    else if (data.type === 'awaits') job && (job.awaits = true);
    else if (data.type === 'ask') void this.#ask(job, data.prompt);
    else if (data.type === 'memory') this.#saved(data);
    else if (data.type === 'unsaved') this.#unsaved(data);
    else if (job && (data.type === 'done' || data.type === 'failed')) this.#answered(job, data);
  }

  /** @param {import('./kernel/jobs.js').Job|null} job @param {any} display */
  #show(job, display) {
    if (job?.onDisplay) job.onDisplay(display);
    else if (job) (job.displays ??= []).push(display);
  }

  /** @param {import('./kernel/jobs.js').Job|null} job @param {string} prompt */
  async #ask(job, prompt) {
    const text = await job?.onAsk(prompt);
    if (job && job === this.#jobs.running) this.#worker?.post({ type: 'answer', text });
  }

  /** @param {{inflate: boolean, compiled: any, phases: [string, number][]}} data */
  #ready({ inflate, compiled, phases }) {
    rememberInflates(inflate);
    this.#fresh = false;
    this.#safety.compiled = compiled;
    this.phases = phases;
    this.#setState('ready');
    this.#pump();
  }

  /**
   * A recipe failed: the next safer one, as long as there is one.
   * @param {{file: string|null, message: string}} data
   * @param {string} recipe
   */
  #broken({ file, message }, recipe) {
    console.warn(`kernel: recipe ${recipe}: ${message}`);
    this.#discard();
    this.#fresh = Boolean(file);
    if (recipe === 'memory') {
      this.#tell(this.#safety.drop(), words.restored);
      this.#launch(this.#recipe);
    } else if (recipe === 'snapshot' && !(file && this.runtime.recipes.pyc.includes(file))) {
      this.#recipe = 'pyc';
      this.#launch('pyc');
    } else this.#fail(file ? words.missing(file) : words.noBoot);
  }

  /** @param {{unsaved: 'size'|'objects', detail: string}} data */
  #unsaved({ unsaved, detail }) {
    this.#saved();
    if (this.#warned.has(unsaved)) return;
    this.#warned.add(unsaved);
    console.info(`kernel: memory not saved: ${detail}`);
    this.#emit('notice', { message: words.unsaved[unsaved] });
  }

  /** @param {import('./kernel/jobs.js').Job} job @param {any} data */
  #answered(job, { type: _type, id: _id, names, heap, ...outcome }) {
    this.#interrupt.release();
    if (outcome.kind === 'internal') {
      console.warn(`kernel: ${outcome.name}: ${outcome.traceback}`);
      const message = NO_MEMORY.test(outcome.message) ? words.memory : words.crashed;
      this.#replace({ ...outcome, message, traceback: '' }, words.restored);
      return;
    }
    if (outcome.kind === 'memory' && heap > SWOLLEN) {
      this.#replace({ ...outcome, message: words.memory }, words.restored);
      return;
    }
    if (outcome.kind === 'stopped') outcome.message = `${words.stopped} ${words.interrupted}`;
    if (job.type === 'reset') this.#safety.reset();
    this.#saving = Boolean(this.#safety.compiled) && !job.scratch;
    if (job.type === 'run' && !job.scratch) this.#safety.ran({ cell: job.cell, title: job.title }, names);
    this.#setState('ready');
    this.#jobs.settleRunning(outcome);
    this.#pump();
  }

  /** @param {KernelState} state @param {string} [message] */
  #setState(state, message) {
    if (state === this.#state) return;
    this.#state = state;
    this.#emit('state', { state, message });
  }

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
