/**
 * The page's end of the kernel: one worker with Python, a queue of cells, and what the page is told.
 *
 * Knows nothing of the DOM. Tells what happens by events whose `detail` is data:
 * `state` {state, message?, recipe?} · `progress` {step, loaded, total, waiting} ·
 * `lost` {variables, cells, tasks, files, message} · `notice` {message} · `saved` {variables}: Stop
 * will bring these back.
 *
 * @typedef {import('../protocol.js').Manifest} Manifest
 * @typedef {import('../protocol.js').Recipe} Recipe
 * @typedef {import('../protocol.js').Outcome} Outcome
 * @typedef {import('../protocol.js').Failed} Failed
 * @typedef {import('./jobs.js').Job} Job
 * @typedef {import('./jobs.js').RunRequest} RunRequest
 * @typedef {import('./safety.js').Loss} Loss
 * @typedef {'idle'|'loading'|'ready'|'running'|'failed'} KernelState
 */
import { Interrupt } from './interrupt.js';
import { DEFAULTS, Jobs } from './jobs.js';
import { PATIENCE } from './patience.js';
import { Saving } from './saving.js';
import { Supervisor } from './supervisor.js';
import { withAbsoluteUrls } from '../../pyodide-snapshot/load/manifest.js';
import { failure } from '../outcomes.js';
import { words } from '../words.js';

const SWOLLEN = 2 ** 30; // bytes of heap after which a memory error is followed by a fresh worker
const NO_MEMORY = /out of memory|no memory|allocation failed|could not allocate/i;

export class Kernel extends EventTarget {
  #jobs = new Jobs();
  #saving;
  #interrupt = new Interrupt();
  #supervisor;
  /** @type {KernelState} */
  #state = 'idle';
  #warned = new Set();

  /**
   * @param {{workerUrl: string, runtime: Manifest, recipe?: Recipe,
   *   patience?: Partial<import('./patience.js').Patience>}} options
   */
  constructor({ workerUrl, runtime, recipe = 'snapshot', patience: asked }) {
    super();
    const patience = { ...PATIENCE, ...asked };
    this.#saving = new Saving(patience.saving);
    this.runtime = withAbsoluteUrls(runtime);
    const { buffer: interrupt } = this.#interrupt;
    const place = { workerUrl, runtime: this.runtime, recipe, interrupt, patience };
    this.#supervisor = new Supervisor(place, {
      starting: () => this.#setState('loading'),
      message: (data) => this.#receive(data),
      died: () => this.#replace(failure('internal', 'WorkerDied', words.crashed), words.restored),
      failed: (message) => this.#fail(message),
      lost: (loss) => this.#tell(loss, words.restored),
    });
  }

  get state() {
    return this.#state;
  }

  /** When each phase of the last boot ended, ms since its worker began. */
  get phases() {
    return this.#supervisor.phases;
  }

  /** Start loading Python, unless it is there or on its way. */
  warm() {
    if (this.#state === 'idle' || this.#state === 'failed') this.#supervisor.start();
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
    this.#supervisor.safety.reset();
    this.#warned.clear();
    if (this.#state === 'idle' || this.#state === 'failed') {
      return { status: 'done', result: null, display: [] };
    }
    return this.#enqueue({ type: 'reset', cell: '', filename: '', source: '', ...DEFAULTS });
  }

  /**
   * Stop the running cell and drop those that wait.
   * @param {{gently?: boolean}} [options]
   */
  stop({ gently = true } = {}) {
    this.#jobs.settleWaiting(failure('stopped', 'KeyboardInterrupt', words.stoppedQueued));
    const job = this.#jobs.running;
    if (!job || this.#interrupt.pressed) return;
    const replace = () => this.#saving.wait(() => job === this.#jobs.running && this.#stopped());
    const cancel = job.awaits ? () => this.#supervisor.worker?.post({ type: 'cancel' }) : null;
    if (gently) this.#interrupt.press(replace, cancel);
    else replace();
  }

  #stopped() {
    this.#replace(failure('stopped', 'KeyboardInterrupt', words.stopped), words.kept);
  }

  /**
   * What the editor wants to know of the live namespace; null while Python is busy or away. Who asks
   * with patience waits while Python loads.
   * @template {import('../protocol.js').Question} Q
   * @param {Q & {patient?: boolean}} question
   * @returns {Promise<import('../protocol.js').AnswerTo<Q>|null>}
   */
  async inspect(question) {
    while (question.patient && this.#state === 'loading') {
      await new Promise((resolve) => this.addEventListener('state', resolve, { once: true }));
    }
    const { worker } = this.#supervisor;
    return this.#state === 'ready' && worker ? worker.inspect(question) : null;
  }

  /** @param {Omit<Job, 'id'|'settle'>} job */
  #enqueue(job) {
    const outcome = this.#jobs.add(job);
    this.warm();
    if (this.#state !== 'ready') job.onState(this.#state === 'loading' ? 'loading' : 'queued');
    this.#pump();
    return outcome;
  }

  /** Hand the next job to a worker that is ready. */
  #pump() {
    const { worker } = this.#supervisor;
    if (this.#state !== 'ready' || !worker) return;
    this.#supervisor.prepare();
    const job = this.#jobs.next();
    if (!job) return;
    this.#interrupt.release();
    this.#setState('running');
    job.onState('running');
    const { id, type, filename, source, scratch } = job;
    worker.post(type === 'run' ? { type, id, filename, source, scratch } : { type, id });
  }

  /** @param {string} message */
  #fail(message) {
    this.#interrupt.release();
    this.#saving.over();
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
    this.#interrupt.release();
    this.#saving.expect(false);
    this.#supervisor.end();
    const message = this.#tell(this.#supervisor.safety.restore(), kept);
    this.#jobs.settleRunning({ ...outcome, message: `${outcome.message} ${message}` });
    this.#supervisor.start();
  }

  /**
   * Say what a restart lost, or that it lost nothing.
   * @param {Loss} loss @param {string} kept
   * @returns {string}
   */
  #tell(loss, kept) {
    const { cells, ...rest } = loss;
    const lost = [loss.variables, cells, loss.files].some((list) => list.length) || loss.tasks;
    const message = lost ? words.lost(loss, kept) : kept;
    if (lost) this.#emit('lost', { ...rest, cells: cells.map(({ cell }) => cell), message });
    else this.#emit('notice', { message });
    return message;
  }

  /** @param {import('./launch.js').Told} data */
  #receive(data) {
    const job = 'id' in data ? this.#jobs.current(data.id) : null;
    if (data.type === 'loading') this.#emit('progress', data);
    else if (data.type === 'ready') this.#ready();
    else if (data.type === 'output') job?.onOutput({ stream: data.stream, text: data.text });
    else if (data.type === 'display') this.#show(job, data.display);
    else if (data.type === 'awaits') job && (job.awaits = true);
    else if (data.type === 'ask') void this.#ask(job, data.prompt);
    else if (data.type === 'memory') this.#saved(data);
    else if (data.type === 'unsaved') this.#unsaved(data);
    else if (job && (data.type === 'done' || data.type === 'failed')) this.#answered(job, data);
  }

  #ready() {
    this.#setState('ready');
    for (const job of this.#jobs.waiting) job.onState('queued');
    this.#pump();
  }

  /** @param {Job|null} job @param {import('../protocol.js').Display} display */
  #show(job, display) {
    if (job?.onDisplay) job.onDisplay(display);
    else if (job) (job.displays ??= []).push(display);
  }

  /** @param {Job|null} job @param {string} prompt */
  async #ask(job, prompt) {
    const text = await job?.onAsk(prompt);
    if (text !== undefined && job === this.#jobs.running) this.#supervisor.worker?.post({ type: 'answer', text });
  }

  /** @param {import('../protocol.js').Saved} saved */
  #saved(saved) {
    this.#supervisor.safety.save(saved);
    this.#saving.over();
    this.#emit('saved', { variables: saved.names });
  }

  /** @param {import('../protocol.js').Unsaved} data */
  #unsaved({ unsaved, detail }) {
    this.#saving.over();
    if (this.#warned.has(unsaved)) return;
    this.#warned.add(unsaved);
    console.info(`kernel: memory not saved: ${detail}`);
    this.#emit('notice', { message: words.unsaved[unsaved] });
  }

  /**
   * @param {Job} job
   * @param {import('../protocol.js').DoneMessage|import('../protocol.js').FailedMessage} message
   */
  #answered(job, { outcome, after, saving, heap }) {
    this.#interrupt.release();
    if (outcome.status === 'failed' && this.#hasEndedWorker(outcome, heap)) return;
    const { safety } = this.#supervisor;
    if (job.type === 'reset') safety.reset();
    else if (!job.scratch && after) safety.ran({ cell: job.cell, filename: job.filename }, after);
    this.#saving.expect(saving);
    this.#setState('ready');
    this.#jobs.settleRunning(outcome);
    this.#pump();
  }

  /**
   * Put a failure in words; replace the worker where it can't go on.
   * @param {Failed} outcome - gets its message
   * @param {number} heap - bytes
   * @returns {boolean} whether the worker has been replaced, and the job settled
   */
  #hasEndedWorker(outcome, heap) {
    const { kind, name, message, traceback } = outcome;
    if (kind === 'internal') {
      console.warn(`kernel: ${name}: ${traceback}`);
      const said = NO_MEMORY.test(message) ? words.memory : words.crashed;
      this.#replace({ ...outcome, message: said, traceback: '' }, words.restored);
      return true;
    }
    if (kind === 'memory' && heap > SWOLLEN) {
      this.#replace({ ...outcome, message: words.memory }, words.restored);
      return true;
    }
    if (kind === 'stopped') outcome.message = `${words.stopped} ${words.interrupted}`;
    return false;
  }

  /** @param {KernelState} state @param {string} [message] */
  #setState(state, message) {
    if (state === this.#state) return;
    this.#state = state;
    this.#emit('state', { state, message, recipe: this.#supervisor.recipe });
  }

  /** @param {string} type @param {object} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
