/**
 * One worker as the page sees it: refused, there, gone.
 *
 * @typedef {import('../protocol.js').PageMessage} PageMessage
 * @typedef {import('../protocol.js').WorkerMessage} WorkerMessage
 * @typedef {Exclude<WorkerMessage, {type: 'hello'}|{type: 'inspected'}>} Told - what is left to others
 *
 * @typedef {object} Launched
 * @property {(message: PageMessage) => void} post
 * @property {<Q extends import('../protocol.js').Question>(question: Q) =>
 *   Promise<import('../protocol.js').AnswerTo<Q>|null>} inspect - one question, one answer
 * @property {() => void} end
 *
 * @typedef {object} Listener
 * @property {(message: Told) => void} message
 * @property {() => void} refused - the browser or the host allows no such worker
 * @property {() => void} died - it was there and is gone: closed, or killed by the browser
 *
 * @typedef {Omit<import('../protocol.js').BootOrder, 'lock'|'helper'|'patience'> &
 *   {patience: import('./patience.js').Patience}} LaunchOrder
 */

import { whenLet } from '../../pyodide-snapshot/load/lock.js';

/**
 * @param {string} url
 * @param {LaunchOrder} order
 * @param {Listener} listener
 * @returns {Launched|null}
 */
export function launchWorker(url, order, listener) {
  const lock = `kernel-${Date.now()}-${Math.random()}`;
  const helper = order.compiled ? null : launchHelper(url, { ...order, lock });
  /** @type {Worker} */
  let worker;
  try {
    worker = new Worker(url, { type: 'module', name: 'kernel' });
  } catch (error) {
    console.warn('kernel:', error);
    helper?.end();
    queueMicrotask(listener.refused);
    return null;
  }
  let ended = false;
  let heard = false;
  /** @type {(answer: import('../protocol.js').InspectedMessage['answer']) => void} */
  let answer = () => {};
  const silent = setTimeout(() => !ended && listener.refused(), order.patience.hello);
  /** @param {PageMessage} message @param {Transferable[]} [transfer] */
  const post = (message, transfer = []) => worker.postMessage(message, transfer);

  /** @param {MessageEvent<WorkerMessage>} event */
  worker.onmessage = ({ data }) => {
    if (ended) return;
    if (data.type === 'ready') helper?.end();
    if (data.type === 'hello') {
      heard = true;
      clearTimeout(silent);
      whenLet(lock, () => !ended && listener.died());
    } else if (data.type === 'inspected') answer(data.answer);
    else listener.message(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    console.warn('kernel: error in the worker:', event.message ?? 'it did not start');
    if (!ended && !heard) listener.refused();
  };
  post({ type: 'boot', lock, ...order, helper: helper?.port }, helper ? [helper.port] : []);
  return {
    post,
    inspect: (question) =>
      new Promise((resolve) => {
        answer(null); // a newer question: the older gets no answer
        answer = /** @type {typeof answer} */ (resolve); // it is of the question's own kind
        post({ ...question, type: 'inspect' });
      }),
    end() {
      ended = true;
      clearTimeout(silent);
      worker.terminate();
      helper?.end();
    },
  };
}

/**
 * A second worker that brings the first one's files; without it the first goes without help.
 * @param {string} url
 * @param {import('../protocol.js').Task} task
 */
function launchHelper(url, { runtime, recipe, lock, patience, inflate, fresh }) {
  try {
    const worker = new Worker(url, { type: 'module', name: 'kernel-helper' });
    worker.onerror = (event) => event.preventDefault(); // the first worker's own will tell
    const { port1, port2 } = new MessageChannel();
    /** @type {import('../protocol.js').HelpMessage} */
    const message = { type: 'help', runtime, recipe, lock, patience, inflate, fresh, port: port1 };
    worker.postMessage(message, [port1]);
    return { port: port2, end: () => worker.terminate() };
  } catch (error) {
    console.info('kernel: no second worker:', error);
    return null;
  }
}
