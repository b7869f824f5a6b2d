/**
 * The worker's end of the protocol: boot, then one message in, one cell run, one answer out.
 *
 * in:  boot {…BootOrder} · run {id, title, source, scratch} · reset {id} · text {id} ·
 *      inspect {what, …} · cancel {} · answer {text}
 * out: hello {} · loading {step, loaded, total, waiting} · ready {compiled, phases, inflate} ·
 *      broken {file, message} · output {id, stream, text} · done {id, …, names} |
 *      display {id, display} · ask {id, prompt} · awaits {id} · failed {id, …, names} · memory {memory, names} | unsaved {unsaved, detail} · text {id, text}
 */
import { boot } from './kernel/boot.js';
import { Downloads, FileProblem } from './kernel/downloads.js';
import { keepToOrigin } from './kernel/guard.js';
import { MemorySaver } from './kernel/memory.js';
import { Output } from './kernel/output.js';
import { Runner } from './kernel/runner.js';

/** @type {(message: any, transfer?: Transferable[]) => void} */
const post = (message, transfer = []) => self.postMessage(message, { transfer });

/** @type {Runner} */
let runner;
/** @type {MemorySaver|null} */
let saver = null;
let current = 0;
const output = new Output((stream, text) => post({ type: 'output', id: current, stream, text }));

/** @param {import('./kernel/types.js').BootOrder} order */
async function start(order) {
  keepToOrigin();
  await holdLock(order.lock);
  post({ type: 'hello' });
  const phases = [['worker', performance.now()]];
  const mark = (/** @type {string} */ name) => phases.push([name, performance.now()]);
  const report = (/** @type {any} */ progress) => post({ type: 'loading', ...progress });
  const downloads = new Downloads(order.runtime.files, report, order);
  try {
    const { pyodide, compiled } = await boot(order, downloads, mark);
    runner = new Runner(pyodide, output, order);
    if (compiled) saver = new MemorySaver(pyodide); // other recipes can't be restored over
    mark('ready');
    const { versions } = order.runtime;
    post({ type: 'ready', versions, compiled, phases, inflate: downloads.inflate });
  } catch (error) {
    const file = error instanceof FileProblem ? error.file : null;
    const stack = error instanceof Error ? error.stack : '';
    post({ type: 'broken', file, message: `${error}\n${stack}` });
  }
}

/**
 * Keep a lock for as long as this worker lives, so that the page learns of its death.
 * @param {string} name
 */
function holdLock(name) {
  const { locks } = navigator;
  if (!locks) return undefined; // plain http elsewhere than localhost
  return new Promise((held) => {
    void locks.request(name, () => {
      held(undefined);
      return new Promise(() => {});
    });
  });
}

/** Save the memory after a cell, so that the next one can be stopped. @param {string[]} names */
function save(names) {
  if (!saver) return;
  const saved = saver.save();
  if ('memory' in saved) post({ type: 'memory', ...saved, names }, [saved.memory]);
  else post({ type: 'unsaved', ...saved });
}

/** What takes the reader's answer to `input`. @type {(text: string) => void} */
let answer = () => {};

/** The page, as a running cell may use it. @param {number} id @returns {import('./kernel/runner.js').Host} */
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
  else if (data.type === 'text') post({ type: 'text', id: data.id, text: output.whole() });
  else if (data.type === 'cancel') runner.cancel();
  else if (data.type === 'answer') answer(data.text);
  else if (data.type === 'inspect') post({ type: 'inspected', answer: runner.inspect(data) });
  else {
    const { answer: end, buffers } =
      data.type === 'reset'
        ? runner.reset()
        : await runner.run(data.title, data.source, data.scratch, host(data.id));
    output.flush();
    const text = output.isLong ? output.whole() : undefined; // the page kept the end only
    post({ ...end, type: end.status, id: data.id, text, heap: runner.heap }, buffers);
    if (end.kind !== 'internal' && !data.scratch) save(end.names);
  }
};
