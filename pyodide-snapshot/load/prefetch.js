/**
 * The files of one boot. A second worker brings, checks and inflates them, while the first makes
 * Python of what is there already. Where there is no second one, or it dies, the first does it all.
 *
 * @typedef {import('./types.js').Progress} Progress
 * @typedef {import('./types.js').Task} Task
 */
import { Downloads, FileProblem } from './downloads.js';
import { holdLock, whenLet } from './lock.js';
import { PATIENCE } from './patience.js';

/**
 * The files that a boot asks for, in that order; where modules are compiled already, none is foreseen.
 * @param {Task} task
 */
const needs = ({ runtime, recipe, compiled }) =>
  compiled || recipe === 'memory' ? [] : runtime.recipes[recipe];

/** @param {Task} task @param {Downloads} downloads */
function bringAll(task, downloads) {
  const names = needs(task);
  downloads.expect(names);
  return new Map(names.map((name) => [name, downloads.bytes(name)]));
}

const lockOf = (/** @type {Task} */ task) => `${task.lock}-helper`;

/**
 * What the second worker does, from its start to its end.
 * @param {Task} task
 * @param {MessagePort} port - to the first
 */
export async function help(task, port) {
  const report = (/** @type {Progress} */ progress) => port.postMessage({ progress });
  const downloads = new Downloads(task.runtime.files, report, task.patience, task);
  for (const [name, result] of bringAll(task, downloads)) {
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

/** A promise and the two ways to settle it. */
function promised() {
  let give = (/** @type {Uint8Array<ArrayBuffer>} */ _data) => {};
  let fail = (/** @type {unknown} */ _problem) => {};
  /** @type {Promise<Uint8Array<ArrayBuffer>>} */
  const result = new Promise((resolve, reject) => ([give, fail] = [resolve, reject]));
  result.catch(() => {}); // whoever asks hears of it
  return { result, give, fail };
}

/** Where the first worker gets its files from. */
export class Prefetch {
  /** @type {Map<string, ReturnType<typeof promised>>} */
  #wanted = new Map();
  #ended = false;

  /**
   * @param {Task} task
   * @param {(progress: Progress) => void} [onProgress]
   * @param {MessagePort} [port] - to a second worker
   */
  constructor(task, onProgress = () => {}, port) {
    this.task = task;
    this.onProgress = onProgress;
    this.downloads = new Downloads(task.runtime.files, onProgress, task.patience, task);
    for (const name of needs(task)) this.#wanted.set(name, promised());
    if (port) this.#share(port);
    else this.#alone();
  }

  /** @param {MessagePort} port */
  #share(port) {
    const timer = setTimeout(() => this.#alone(), this.task.patience?.helper ?? PATIENCE.helper);
    port.onmessage = ({ data: { here, progress, name, problem, data, inflate } }) => {
      if (here) {
        clearTimeout(timer);
        whenLet(lockOf(this.task), () => this.#alone());
      } else if (progress) this.onProgress(progress);
      else if (problem) this.#wanted.get(name)?.fail(new FileProblem(problem.file, problem.why));
      else {
        this.downloads.inflate ||= inflate;
        this.#wanted.get(name)?.give(data);
      }
    };
  }

  /** Do it here. */
  #alone() {
    if (this.#ended) return;
    for (const [name, result] of bringAll(this.task, this.downloads)) {
      const wanted = this.#wanted.get(name);
      result.then(wanted?.give, wanted?.fail);
    }
  }

  /** A file, foreseen or not. @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>} */
  get(name) {
    let wanted = this.#wanted.get(name);
    if (!wanted) {
      wanted = promised();
      this.#wanted.set(name, wanted);
      this.downloads.bytes(name).then(wanted.give, wanted.fail);
    }
    return wanted.result;
  }

  /** Whether this host compresses nothing, as far as is known. */
  get inflate() {
    return this.downloads.inflate;
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
