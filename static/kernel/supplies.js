/**
 * The files of one boot. A second worker brings, checks and inflates them, while the first makes
 * Python of what is there already. Where there is no second one, or it dies, the first does it all.
 *
 * @typedef {import('./types.js').BootOrder} BootOrder
 * @typedef {import('./types.js').Progress} Progress
 * @typedef {Pick<BootOrder, 'runtime'|'recipe'|'lock'|'compiled'|'inflate'|'fresh'>} Task
 */
import { Downloads, FileProblem } from './downloads.js';
import { holdLock, whenLet } from './lock.js';

const HERE_MS = 4_000; // a helper that says nothing for so long is done without

/** What a boot needs, in the order in which it does. @param {Task} task */
const needs = ({ runtime, recipe, compiled }) =>
  compiled ? ['lesson.bin'] : runtime.recipes[recipe];

/** @param {Task} task @param {(progress: Progress) => void} onProgress */
function bringAll(task, onProgress) {
  const downloads = new Downloads(task.runtime.files, onProgress, task);
  const names = needs(task);
  downloads.expect(names);
  return { downloads, results: new Map(names.map((name) => [name, downloads.bytes(name)])) };
}

const lockOf = (/** @type {Task} */ task) => `${task.lock}-helper`;

/**
 * The life of the second worker.
 * @param {Task} task
 * @param {MessagePort} port - to the first
 */
export async function help(task, port) {
  const { downloads, results } = bringAll(task, (progress) => port.postMessage({ progress }));
  for (const [name, result] of results) {
    result.then(
      (data) => port.postMessage({ name, data, inflate: downloads.inflate }, [data.buffer]),
      (error) => {
        const { file, why } = error instanceof FileProblem ? error : { file: name, why: `${error}` };
        port.postMessage({ name, problem: { file, why } });
      },
    );
  }
  await holdLock(lockOf(task));
  port.postMessage({ here: true });
}

/** A file that is wanted. */
function wish() {
  let give = (/** @type {Uint8Array<ArrayBuffer>} */ _data) => {};
  let fail = (/** @type {unknown} */ _problem) => {};
  /** @type {Promise<Uint8Array<ArrayBuffer>>} */
  const result = new Promise((resolve, reject) => ([give, fail] = [resolve, reject]));
  result.catch(() => {}); // whoever asks hears of it
  return { result, give, fail };
}

/** What the first worker asks for files. */
export class Supplies {
  /** @type {Map<string, ReturnType<typeof wish>>} */
  #wanted = new Map();
  #ended = false;

  /**
   * @param {Task} task
   * @param {(progress: Progress) => void} onProgress
   * @param {MessagePort} [port] - to a second worker
   */
  constructor(task, onProgress, port) {
    this.task = task;
    this.onProgress = onProgress;
    /** Whether this host compresses nothing, as far as is known. */
    this.inflate = Boolean(task.inflate);
    for (const name of needs(task)) this.#wanted.set(name, wish());
    if (port) this.#share(port);
    else this.#alone();
  }

  /** @param {MessagePort} port */
  #share(port) {
    const timer = setTimeout(() => this.#alone(), HERE_MS);
    port.onmessage = ({ data: { here, progress, name, problem, data, inflate } }) => {
      if (here) {
        clearTimeout(timer);
        whenLet(lockOf(this.task), () => this.#alone());
      } else if (progress) this.onProgress(progress);
      else if (problem) this.#wanted.get(name)?.fail(new FileProblem(problem.file, problem.why));
      else {
        this.inflate ||= inflate;
        this.#wanted.get(name)?.give(data);
      }
    };
  }

  /** Do it here. */
  #alone() {
    if (this.#ended) return;
    const { downloads, results } = bringAll(this.task, this.onProgress);
    for (const [name, result] of results) {
      const wanted = this.#wanted.get(name);
      result.then(wanted?.give, wanted?.fail).finally(() => (this.inflate ||= downloads.inflate));
    }
  }

  /** A file of this boot. @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>} */
  get(name) {
    const wanted = this.#wanted.get(name);
    return wanted ? wanted.result : Promise.reject(new FileProblem(name, 'not a file of this boot'));
  }

  /** @param {string} name */
  url(name) {
    return this.task.runtime.files[name].url;
  }

  /** All is there. */
  end() {
    this.#ended = true;
  }
}
