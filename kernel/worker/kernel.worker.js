/**
 * The worker's end of the protocol: boot, then one message in, one cell run, one answer out.
 *
 * in:  boot {…BootOrder} · help {…Task, port} · run {id, title, source, scratch} · reset {id} · inspect {what, …} ·
 *      cancel {} · answer {text} · go {recipe, memory, packages, files}
 * out: hello {} · loading {step, loaded, total, waiting} · ready {compiled, phases, inflate} ·
 *      broken {file, altered, message} · output {id, stream, text} · display {id, display} · ask {id, prompt} ·
 *      awaits {id} · done {id, …} | failed {id, …} · memory {memory, …} | unsaved {unsaved, detail} ·
 *      inspected {answer}
 */
import { boot } from '../../pyodide-snapshot/load/boot.js';
import { FileProblem } from '../../pyodide-snapshot/load/downloads.js';
import { keepToOrigin } from './guard.js';
import { failure } from '../page/jobs.js';
import { holdLock } from '../../pyodide-snapshot/load/lock.js';
import { Keeper, MemorySaver } from './memory.js';
import { Output } from './output.js';
import { Runner } from './runner.js';
import { help, Supplies } from '../../pyodide-snapshot/load/prefetch.js';
import { words } from '../words.js';

/** @type {(message: any, transfer?: Transferable[]) => void} */
const post = (message, transfer = []) => self.postMessage(message, { transfer });

/** @type {Runner} */
let runner;
/** @type {Keeper|null} */
let keeper = null;
/** What of memory is still to come. @type {import('../../pyodide-snapshot/load/deferred.js').Late|undefined} */
let late;
/** What gives a shadow the rest of its order. @type {(rest: any) => void} */
let go = () => {};
let current = 0;
const output = new Output((stream, text) => post({ type: 'output', id: current, stream, text }));

/** @param {import('../protocol.js').BootOrder} order */
async function start(order) {
  if (order.shadow) order.rest = new Promise((resolve) => (go = resolve));
  const report = (/** @type {any} */ progress) => post({ type: 'loading', ...progress });
  const supplies = new Supplies(order, report, order.helper);
  keepToOrigin();
  await holdLock(order.lock);
  post({ type: 'hello' });
  const phases = [['worker', performance.now()]];
  const mark = (/** @type {string} */ name) => phases.push([name, performance.now()]);
  try {
    const { pyodide, compiled, later, ...booted } = await boot(order, supplies, mark);
    supplies.end();
    late = booted.late;
    runner = new Runner(pyodide, output, order);
    if (compiled) keeper = new Keeper(new MemorySaver(pyodide), post); // only these can be restored
    mark('ready');
    const { versions } = order.runtime;
    post({ type: 'ready', versions, compiled, phases, inflate: supplies.inflate });
    later().catch((problem) => console.warn('kernel:', problem)); // it will be asked for again
  } catch (error) {
    const file = error instanceof FileProblem ? error.file : null;
    const stack = error instanceof Error ? error.stack : '';
    const altered = error instanceof FileProblem && error.why === 'altered';
    post({ type: 'broken', file, altered, message: `${error}\n${stack}` });
  }
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

self.onmessage = async ({ data }) => {
  current = data.id ?? current;
  if (data.type === 'boot') await start(data);
  else if (data.type === 'help') await help(data, data.port);
  else if (data.type === 'go') go(data);
  else if (data.type === 'cancel') runner.cancel();
  else if (data.type === 'answer') answer(data.text);
  else if (data.type === 'inspect') await inspect(data);
  else await work(data);
};

/** Answer what the editor asks. @param {any} question */
async function inspect(question) {
  if (question.what === 'describe') await late?.come();
  post({ type: 'inspected', answer: runner.inspect(question) });
}

/** The end of a cell that can't have what it may read. @param {string} source */
async function lacking(source) {
  try {
    await late?.before(source);
  } catch (problem) {
    output.begin();
    const message = words.late(/** @type {FileProblem} */ (problem).file);
    const failed = failure('python', 'OSError', message);
    return { answer: { ...failed, traceback: `OSError: ${message}` }, buffers: [] };
  }
}

/** Run a cell or empty the namespace, answer, save what changed. @param {any} job */
async function work({ type, id, title, source, scratch }) {
  keeper?.pause();
  const run = async () => (await lacking(source)) ?? runner.run(title, source, scratch, host(id));
  const { answer: end, buffers } = type === 'reset' ? runner.reset() : await run();
  output.flush();
  const text = output.isLong ? output.whole() : undefined; // the page kept the end only
  const { names, tasks, changed, kind } = end;
  const saving = keeper?.ended(changed && !scratch ? { names, tasks } : null) ?? false;
  post({ ...end, type: end.status, id, text, saving, heap: runner.heap }, buffers);
  if (kind !== 'internal') keeper?.proceed();
}
