/**
 * The corner that says how Python is doing: downloading, ready, broken; and warnings.
 */
import { button } from '../shared/dom.js';
import { spanish } from '../shared/numbers.js';

const READY_MS = 4_000; // how long a word stays
const QUIET_MS = 4_000; // a line that brings nothing for so long: say what is missing

/**
 * @param {HTMLElement} node
 * @param {{onRetry: () => void}} options
 */
export function mountStatus(node, { onRetry }) {
  const text = /** @type {HTMLElement} */ (node.querySelector('.kernel-text'));
  const bar = /** @type {HTMLProgressElement} */ (node.querySelector('progress'));
  const warning = /** @type {HTMLElement} */ (node.querySelector('.kernel-warning'));
  const retry = /** @type {HTMLElement} */ (node.querySelector('[data-action="retry"]'));
  const dismiss = /** @type {HTMLElement} */ (node.querySelector('[data-action="dismiss"]'));
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let hiding;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let quiet;
  let heldUntil = 0; // a word on what the reader did is not talked over by Python's own progress
  /** @param {string} words */
  const tell = (words) => {
    if (performance.now() >= heldUntil) text.textContent = words;
  };
  const show = () => {
    clearTimeout(hiding);
    node.hidden = false;
  };
  const hideSoon = () => {
    clearTimeout(hiding);
    if (warning.textContent) return; // it stays until the reader closes it
    hiding = setTimeout(() => (node.hidden = true), READY_MS);
  };
  retry.addEventListener('click', onRetry);
  dismiss.addEventListener('click', () => {
    node.hidden = true;
    warning.textContent = '';
  });

  return {
    /** @param {{state: string, message?: string, recipe?: string}} detail */
    state({ state, message, recipe = '' }) {
      node.dataset.state = state;
      node.dataset.recipe = recipe;
      clearTimeout(quiet);
      retry.hidden = state !== 'failed';
      bar.hidden = state !== 'loading';
      if (state === 'loading') {
        show();
        tell('Preparando Python…');
      } else if (state === 'failed') {
        show();
        heldUntil = 0;
        text.textContent = message ?? 'Python no ha podido arrancar.';
      } else {
        tell('Python listo.');
        hideSoon();
      }
    },
    /** @param {{loaded: number, total: number, waiting?: string[]}} detail */
    progress({ loaded, total, waiting = [] }) {
      bar.value = total ? loaded / total : 0;
      const amount = total > 1 ? `: ${megabytes(loaded)} de ${megabytes(total)} MB` : '…';
      const words = `Descargando Python${amount}`;
      tell(words);
      clearTimeout(quiet);
      if (!waiting.length) return;
      quiet = setTimeout(() => tell(`${words}. La red no trae nada; falta ${waiting.join(', ')}`), QUIET_MS);
    },
    /** A word on what was just done. @param {string} message */
    say(message) {
      show();
      text.textContent = message;
      heldUntil = performance.now() + READY_MS;
      hideSoon();
    },
    /**
     * Something that the reader should know; it stays until closed.
     * @param {string} message
     * @param {string} [label] - of a button that mends it
     * @param {() => void} [act]
     */
    warn(message, label, act) {
      show();
      warning.textContent = message;
      if (!label || !act) return;
      const mend = button(label, () => {
        warning.textContent = '';
        act();
      });
      warning.append(' ', mend);
    },
  };
}

/** @param {number} bytes */
const megabytes = (bytes) => spanish(bytes / 1e6, 1);
