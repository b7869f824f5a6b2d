/**
 * Run cells by the Python module `session` and turn what it says into messages.
 *
 * @typedef {import('../protocol.js').Display} Display
 * @typedef {object} End - of a run
 * @property {import('../protocol.js').Outcome} outcome
 * @property {import('../protocol.js').After|null} after
 * @property {ArrayBuffer[]} buffers - of its displays, to hand over rather than copy
 *
 * @typedef {object} Host - the page, for the cell that runs
 * @property {(display: Display, buffers: ArrayBuffer[]) => void} show
 * @property {(prompt: string) => Promise<string>} ask
 * @property {() => void} awaits - this cell awaits: it can be cancelled
 */

import { failure } from '../outcomes.js';
import { LESSON_FOLDER } from './install.js';

export class Runner {
  /** @type {any} */
  #kernel;

  /**
   * @param {any} pyodide
   * @param {import('./output.js').Output} output
   * @param {Pick<import('../protocol.js').BootOrder, 'recipe'|'interrupt'|'runtime'>} order
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
   * @param {string} source
   * @param {string} filename - what tracebacks call it
   * @param {boolean} scratch - in a copy of the namespace
   * @param {Host} host
   * @returns {Promise<End>}
   */
  async run(source, filename, scratch, host) {
    this.output.begin();
    const show = (/** @type {any} */ record) => {
      /** @type {Display} */
      const display = record.toJs({ dict_converter: Object.fromEntries });
      this.output.flush();
      host.show(display, [...buffersIn(display)]);
    };
    const ask = (/** @type {string} */ prompt) => {
      this.output.flush();
      return host.ask(prompt);
    };
    const kernel = this.#kernel;
    /** @type {any} */
    let cell;
    try {
      cell = kernel.compile_cell(source, filename);
      if (!cell.awaits) return answered(kernel.run(cell, scratch, show));
      host.awaits();
      return answered(await kernel.run_async(cell, scratch, show, ask));
    } catch (error) {
      return crashed(error);
    } finally {
      cell?.destroy(); // memory that holds what JavaScript knows of can't be saved
    }
  }

  /** Stop the cell that awaits. */
  cancel() {
    this.#kernel.cancel();
  }

  /**
   * Completions, or what a name is; null where Python can't say.
   * @param {import('../protocol.js').Question} question
   * @returns {import('../protocol.js').Completions|import('../protocol.js').Description|null}
   */
  inspect(question) {
    try {
      const kernel = this.#kernel;
      const found =
        question.what === 'complete'
          ? kernel.complete(question.source, question.offset)
          : kernel.describe(question.name);
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

  /** Empty the namespace. @returns {End} */
  reset() {
    try {
      return answered(this.#kernel.reset());
    } catch (error) {
      return crashed(error);
    }
  }
}

/** @param {any} record - a Python dict @returns {End} */
function answered(record) {
  const { names, changed, tasks, ...outcome } = record.toJs({ dict_converter: Object.fromEntries });
  record.destroy();
  return { outcome, after: { names, changed, tasks }, buffers: [...buffersIn(outcome.display)] };
}

/** What ended Python rather than the cell. @param {any} error @returns {End} */
function crashed(error) {
  const message = String(error?.message ?? error);
  const failed = failure('internal', error?.name ?? 'Error', message);
  const outcome = { ...failed, traceback: String(error?.stack ?? message) };
  return { outcome, after: null, buffers: [] };
}

/**
 * The buffers of a value.
 * @param {unknown} value
 * @returns {Generator<ArrayBuffer>}
 */
function* buffersIn(value) {
  if (ArrayBuffer.isView(value)) yield /** @type {ArrayBuffer} */ (value.buffer);
  else if (value && typeof value === 'object') {
    for (const item of Object.values(value)) yield* buffersIn(item);
  }
}
