/**
 * One worker's life as the page sees it: refused, alive, dead.
 *
 * @typedef {object} Launched
 * @property {(message: any) => void} post
 * @property {(question: object) => Promise<any>} inspect - one question, one answer
 * @property {() => void} end
 *
 * @typedef {object} Listener
 * @property {(data: any) => void} message
 * @property {() => void} refused - the browser or the host allows no such worker
 * @property {() => void} died - it was there and is gone: closed, or killed by the browser
 */

import { whenLet } from '../../pyodide-snapshot/load/lock.js';

/**
 * @param {string} url
 * @param {Omit<import('../protocol.js').BootOrder, 'lock'>} order
 * @param {Listener} listener
 * @returns {Launched|null}
 */
export function launchWorker(url, order, listener) {
  const lock = `kernel-${Date.now()}-${Math.random()}`;
  const helper = order.compiled ? null : launchHelper(url, { ...order, lock });
  let worker;
  try {
    worker = new Worker(url, { type: 'module', name: 'kernel' });
  } catch (error) {
    console.warn('kernel:', error);
    helper?.end();
    queueMicrotask(listener.refused);
    return null;
  }
  let alive = true;
  let heard = false;
  /** @type {(answer: any) => void} */
  let answer = () => {};
  const silent = setTimeout(() => alive && listener.refused(), order.patience.hello);

  worker.onmessage = ({ data }) => {
    if (!alive) return;
    if (data.type === 'ready') helper?.end();
    if (data.type === 'hello') {
      heard = true;
      clearTimeout(silent);
      whenLet(lock, () => alive && listener.died());
    } else if (data.type === 'inspected') answer(data.answer);
    else listener.message(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    console.warn('kernel: error in the worker:', event.message ?? 'it did not start');
    if (alive && !heard) listener.refused();
  };
  const boot = { type: 'boot', lock, ...order, helper: helper?.port };
  worker.postMessage(boot, helper ? [helper.port] : []);
  return {
    post: (message) => worker.postMessage(message),
    inspect: (question) =>
      new Promise((resolve) => {
        answer(null); // a newer question: the older gets no answer
        answer = resolve;
        worker.postMessage({ ...question, type: 'inspect' });
      }),
    end() {
      alive = false;
      clearTimeout(silent);
      worker.terminate();
      helper?.end();
    },
  };
}

/**
 * A second worker that brings the first one's files; without it the first goes without help.
 * @param {string} url
 * @param {import('../../pyodide-snapshot/load/prefetch.js').Task} task
 */
function launchHelper(url, { runtime, recipe, lock, patience, inflate, fresh }) {
  try {
    const worker = new Worker(url, { type: 'module', name: 'kernel-helper' });
    worker.onerror = (event) => event.preventDefault(); // the first worker's own will tell
    const { port1, port2 } = new MessageChannel();
    const task = { runtime, recipe, lock, patience, inflate, fresh };
    worker.postMessage({ type: 'help', ...task, port: port1 }, [port1]);
    return { port: port2, end: () => worker.terminate() };
  } catch (error) {
    console.info('kernel: no second worker:', error);
    return null;
  }
}
