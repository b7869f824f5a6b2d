/**
 * The worker's end of the protocol: boot, then one message in, one cell run, one answer out.
 *
 * @typedef {import('../protocol.js').PageMessage} PageMessage
 * @typedef {import('../protocol.js').WorkerMessage} WorkerMessage
 * @typedef {import('../protocol.js').Phase} Phase
 */
import { boot } from '../../pyodide-snapshot/load/boot.js';
import { FileProblem } from '../../pyodide-snapshot/load/downloads.js';
import { holdLock } from '../../pyodide-snapshot/load/lock.js';
import { help, Prefetch } from '../../pyodide-snapshot/load/prefetch.js';
import { failure } from '../outcomes.js';
import { words } from '../words.js';
import { keepToOrigin } from './guard.js';
import { BUNDLE, install } from './install.js';
import { Keeper, MemorySaver } from './memory.js';
import { Output } from './output.js';
import { Runner } from './runner.js';

/** @type {(message: WorkerMessage, transfer?: Transferable[]) => void} */
const post = (message, transfer = []) => self.postMessage(message, { transfer });

/** @type {Runner} */
let runner;
/** @type {Keeper|null} */
let keeper = null;
/** What of Python's memory is still to come. @type {import('../../pyodide-snapshot/load/deferred.js').Deferred|undefined} */
let deferred;
/** Where this worker stands by: tells it how to start. @type {(start: import('../protocol.js').Start) => void} */
let go = () => {};
let current = 0;
const output = new Output((stream, text) => post({ type: 'output', id: current, stream, text }));

/** @param {import('../protocol.js').BootOrder} order */
async function start(order) {
  /** @type {Promise<import('../protocol.js').Start>|undefined} */
  const rest = order.standby ? new Promise((resolve) => (go = resolve)) : undefined;
  const report = (/** @type {import('../protocol.js').Progress} */ progress) =>
    post({ type: 'loading', ...progress });
  const prefetch = new Prefetch(order, report, order.helper);
  keepToOrigin();
  await holdLock(order.lock);
  post({ type: 'hello' });
  /** @type {Phase[]} */
  const phases = [['worker', performance.now()]];
  const mark = (/** @type {string} */ name) => void phases.push([name, performance.now()]);
  try {
    const bundle = prefetch.get(BUNDLE);
    const booted = await boot({ ...order, rest }, { files: prefetch, mark });
    const { recipe, files } = (await rest) ?? order;
    const bringRest = install(booted.pyodide, await bundle, { runtime: order.runtime, files });
    mark('lesson');
    prefetch.end();
    deferred = booted.deferred;
    runner = new Runner(booted.pyodide, output, { ...order, recipe });
    const { compiled } = booted;
    if (compiled) keeper = new Keeper(new MemorySaver(booted.pyodide), post); // only these can be restored
    mark('ready');
    const { versions } = order.runtime;
    post({ type: 'ready', versions, compiled, phases, inflate: prefetch.inflate });
    void bringLater(bringRest);
  } catch (error) {
    const file = error instanceof FileProblem ? error.file : null;
    const stack = error instanceof Error ? error.stack : '';
    post({ type: 'broken', file, message: `${error}\n${stack}` });
  }
}

/** Bring what the first cell can do without. @param {() => Promise<void>} bringRest */
async function bringLater(bringRest) {
  await bringRest().catch((problem) => console.warn('kernel:', problem)); // it will be asked for again
  await deferred?.bringAll();
}

/** What takes the reader's answer to `input`. @type {(text: string) => void} */
let answer = () => {};

/** The page, as a running cell may use it. @param {number} id @returns {import('./runner.js').Host} */
const host = (id) => ({
  show: (display, buffers) => post({ type: 'display', id, display }, buffers),
  awaits: () => post({ type: 'awaits', id }),
  ask(prompt) {
    post({ type: 'ask', id, prompt });
    return new Promise((resolve) => (answer = resolve));
  },
});

/** @param {MessageEvent<PageMessage>} event */
self.onmessage = async ({ data }) => {
  if (data.type === 'boot') await start(data);
  else if (data.type === 'help') await help(data, data.port);
  else if (data.type === 'go') go(data);
  else if (data.type === 'cancel') runner.cancel();
  else if (data.type === 'answer') answer(data.text);
  else if (data.type === 'inspect') await inspect(data);
  else await work(data);
};

/** Answer what the editor asks. @param {import('../protocol.js').Question} question */
async function inspect(question) {
  if (question.what === 'describe') await deferred?.bringAll();
  post({ type: 'inspected', answer: runner.inspect(question) });
}

/**
 * The end of a cell that can't have what it may read.
 * @param {string} source
 * @returns {Promise<import('./runner.js').End|undefined>}
 */
async function lacking(source) {
  try {
    await deferred?.bringFor(source);
    return undefined;
  } catch (problem) {
    output.begin();
    const message = words.deferred(/** @type {FileProblem} */ (problem).file);
    const failed = failure('python', 'OSError', message);
    const outcome = { ...failed, traceback: `OSError: ${message}` };
    return { outcome, after: null, buffers: [] };
  }
}

/** @param {import('../protocol.js').RunMessage} job */
const run = async ({ id, filename, source, scratch }) =>
  (await lacking(source)) ?? runner.run(source, filename, scratch, host(id));

/**
 * Run a cell or empty the namespace, answer, save what changed.
 * @param {import('../protocol.js').RunMessage|import('../protocol.js').ResetMessage} job
 */
async function work(job) {
  current = job.id;
  keeper?.pause();
  const { outcome, after, buffers } = job.type === 'run' ? await run(job) : runner.reset();
  output.flush();
  if (output.isLong) outcome.text = output.whole(); // the page kept the end only
  const unsafe = after?.changed && !(job.type === 'run' && job.scratch);
  const saving = keeper?.ended(unsafe ? { names: after.names, tasks: after.tasks } : null) ?? false;
  const ended = { id: job.id, after, saving, heap: runner.heap };
  if (outcome.status === 'done') post({ type: 'done', outcome, ...ended }, buffers);
  else post({ type: 'failed', outcome, ...ended }, buffers);
  if (outcome.status === 'done' || outcome.kind !== 'internal') keeper?.proceed();
}
