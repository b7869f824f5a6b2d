/**
 * The worker's end of the protocol: boot, then one message in, one cell run, one answer out.
 *
 * in:  boot {…BootOrder} · run {id, title, source} · reset {id} · text {id}
 * out: loading {step, loaded, total} · ready {versions} · broken {file, message} ·
 *      output {id, stream, text} · done {id, …} | failed {id, …} · text {id, text}
 */
import { bootPyc } from './kernel/boot.js';
import { Downloads, FileProblem } from './kernel/downloads.js';
import { Output } from './kernel/output.js';

/** @type {(message: any, transfer?: Transferable[]) => void} */
const post = (message, transfer = []) => self.postMessage(message, { transfer });

/** @type {any} */
let kernel; // the Python module kernel_boot
let current = 0;
const output = new Output((stream, text) => post({ type: 'output', id: current, stream, text }));

/** @param {import('./kernel/types.js').BootOrder} order */
async function boot(order) {
  const downloads = new Downloads(
    order.runtime.files,
    (progress) => post({ type: 'loading', ...progress }),
    order,
  );
  try {
    const pyodide = await bootPyc(order, downloads);
    post({ type: 'loading', step: 'start', loaded: 1, total: 1 });
    pyodide.setStdout({ write: output.writer('stdout'), isatty: false });
    pyodide.setStderr({ write: output.writer('stderr'), isatty: false });
    kernel = pyodide.pyimport('kernel_boot');
    kernel.start();
    post({ type: 'ready', versions: order.runtime.versions, inflate: downloads.inflate });
  } catch (error) {
    const file = error instanceof FileProblem ? error.file : null;
    post({ type: 'broken', file, message: String(error) });
  }
}

/** @param {{id: number, title: string, source: string}} message */
async function run({ id, title, source }) {
  current = id;
  output.begin();
  let answer;
  try {
    const outcome = kernel.needs_await(source)
      ? await kernel.run_async(source, title)
      : kernel.run(source, title);
    const plain = outcome.toJs({ dict_converter: Object.fromEntries });
    outcome.destroy();
    answer = { ...plain, type: plain.status };
  } catch (error) {
    answer = failure(error);
  }
  output.flush();
  post({ ...answer, id }, [...buffers(answer.display)]);
}

/** What went wrong outside the reader's code. @param {any} error */
function failure(error) {
  const message = String(error?.message ?? error);
  const fields = { name: error?.name ?? 'Error', message, line: null, traceback: message };
  return { type: 'failed', status: 'failed', kind: 'internal', ...fields, display: [] };
}

/**
 * The buffers to hand over rather than copy.
 * @param {any} value
 * @returns {Generator<ArrayBuffer>}
 */
function* buffers(value) {
  if (ArrayBuffer.isView(value)) yield /** @type {ArrayBuffer} */ (value.buffer);
  else if (value && typeof value === 'object') {
    for (const item of Object.values(value)) yield* buffers(item);
  }
}

self.onmessage = async ({ data }) => {
  if (data.type === 'boot') await boot(data);
  else if (data.type === 'run') await run(data);
  else if (data.type === 'text') post({ type: 'text', id: data.id, text: output.whole() });
  else if (data.type === 'reset') {
    kernel.reset();
    post({ type: 'done', id: data.id, status: 'done', result: null, display: [] });
  }
};
