/**
 * The first editor of a cell: a text area over the highlighted code, in the very same place.
 */
import { element } from '../shared/dom.js';

/**
 * @param {HTMLElement} host - holds the `<pre>`
 * @param {object} options
 * @param {string} options.source
 * @param {(source: string) => void} options.onChange
 * @param {() => void} options.onRun
 * @param {() => void} options.onRunNext
 * @param {(area: HTMLTextAreaElement) => void} options.onFocus
 * @returns {import('./cell.js').Editor}
 */
export function plainEditor(host, { source, onChange, onRun, onRunNext, onFocus }) {
  const code = /** @type {HTMLElement} */ (host.querySelector('pre'));
  const area = element('textarea', 'code code-input');
  area.value = source;
  area.setAttribute('aria-label', code.getAttribute('aria-label') ?? '');
  for (const name of ['autocapitalize', 'autocomplete', 'autocorrect']) area.setAttribute(name, 'off');
  area.spellcheck = false;
  area.wrap = 'off';
  code.removeAttribute('tabindex');
  code.setAttribute('aria-hidden', 'true');
  const fit = () => {
    area.rows = area.value.split('\n').length;
  };
  fit();
  host.append(area);
  host.classList.add('has-input');
  area.addEventListener('scroll', () => {
    code.scrollLeft = area.scrollLeft;
  });
  area.addEventListener('input', () => {
    fit();
    onChange(area.value);
  });
  area.addEventListener('keydown', (event) => {
    const modified = event.shiftKey || event.ctrlKey || event.metaKey;
    if (event.key !== 'Enter' || !(modified || event.altKey) || event.isComposing) return;
    event.preventDefault();
    if (event.altKey) onRunNext();
    else onRun();
  });
  area.addEventListener('focus', () => onFocus(area));
  return {
    get: () => area.value,
    set: (text) => {
      area.value = text;
      fit();
    },
    focus: () => area.focus(),
    markLine: () => {},
  };
}
