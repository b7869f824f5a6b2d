/**
 * Run cells by the Python module `session` and turn what it says into messages.
 *
 * @typedef {import('../protocol.js').Outcome} Outcome
 * @typedef {{answer: any, buffers: ArrayBuffer[]}} Answer
 * @typedef {object} Host - the page, for the cell that runs
 * @property {(display: any, buffers: ArrayBuffer[]) => void} show
 * @property {(prompt: string) => Promise<string>} ask
 * @property {() => void} awaits - this cell awaits: it can be cancelled
 */

import { LESSON_FOLDER } from '../../pyodide-snapshot/load/boot.js';

export class Runner {
  /** @type {any} */
  #kernel;

  /**
   * @param {any} pyodide
   * @param {import('./output.js').Output} output
   * @param {import('../protocol.js').BootOrder} order
   */
  constructor(pyodide, output, { recipe, interrupt, runtime }) {
    pyodide.setStdout({ write: output.writer('stdout'), isatty: false });
    pyodide.setStderr({ write: output.writer('stderr'), isatty: false });
    this.output = output;
    this.pyodide = pyodide;
    this.#kernel = pyodide.pyimport('session');
    const packages = pyodide.toPy(Object.keys(runtime.lock.packages));
    this.#kernel.start(recipe === 'snapshot', packages, LESSON_FOLDER);
    packages.destroy();
    if (interrupt) pyodide.setInterruptBuffer(new Int32Array(interrupt));
  }

  /**
   * @param {string} title - file name in tracebacks
   * @param {string} source
   * @param {boolean} scratch - in a copy of the namespace
   * @param {Host} host
   * @returns {Promise<Answer>}
   */
  async run(title, source, scratch, host) {
    this.output.begin();
    const show = (/** @type {any} */ record) => {
      const display = record.toJs({ dict_converter: Object.fromEntries });
      this.output.flush();
      host.show(display, [...buffersIn(display)]);
    };
    const ask = (/** @type {string} */ prompt) => {
      this.output.flush();
      return host.ask(prompt);
    };
    try {
      const kernel = this.#kernel;
      if (kernel.needs_await(source)) {
        host.awaits();
        return answered(await kernel.run_async(source, title, scratch, show, ask));
      }
      return answered(kernel.run(source, title, scratch, show));
    } catch (error) {
      return { answer: crashed(error), buffers: [] };
    }
  }

  /** Stop the cell that awaits. */
  cancel() {
    this.#kernel.cancel();
  }

  /**
   * Completions, or what a name is; null where Python can't say.
   * @param {{what: string, source?: string, offset?: number, name?: string}} question
   */
  inspect({ what, source = '', offset = 0, name = '' }) {
    try {
      const kernel = this.#kernel;
      const found = what === 'complete' ? kernel.complete(source, offset) : kernel.describe(name);
      if (!found?.toJs) return null;
      const plain = found.toJs({ dict_converter: Object.fromEntries });
      found.destroy();
      return plain;
    } catch (error) {
      console.warn('kernel:', error);
      return null;
    }
  }

  /** Bytes of Python's memory; it never shrinks. */
  get heap() {
    return this.pyodide._module.HEAPU8.length;
  }

  /** Empty the namespace. @returns {Answer} */
  reset() {
    try {
      return answered(this.#kernel.reset());
    } catch (error) {
      return { answer: crashed(error), buffers: [] };
    }
  }
}

/** @param {any} outcome - a Python dict @returns {Answer} */
function answered(outcome) {
  const answer = outcome.toJs({ dict_converter: Object.fromEntries });
  outcome.destroy();
  return { answer, buffers: [...buffersIn(answer.display)] };
}

/** What ended Python rather than the cell. @param {any} error */
function crashed(error) {
  const message = String(error?.message ?? error);
  const name = error?.name ?? 'Error';
  const fields = { name, message, line: null, traceback: String(error?.stack ?? message) };
  return { status: 'failed', kind: 'internal', ...fields, display: [], names: [] };
}

/**
 * The buffers to hand over rather than copy.
 * @param {any} value
 * @returns {Generator<ArrayBuffer>}
 */
function* buffersIn(value) {
  if (ArrayBuffer.isView(value)) yield /** @type {ArrayBuffer} */ (value.buffer);
  else if (value && typeof value === 'object') {
    for (const item of Object.values(value)) yield* buffersIn(item);
  }
}
