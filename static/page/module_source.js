/**
 * A module's source, fetched and set in colour when its reader opens it.
 */
import { element } from '../shared/dom.js';

/** @typedef {[string, string][]} Pieces - (class, text), as the builder coloured them */

/** @param {HTMLElement} node - the `<details data-module-source>` */
export function mountModuleSource(node) {
  const { moduleSource = '', label = '', failed = '' } = node.dataset;
  const said = /** @type {HTMLElement} */ (node.querySelector('[role="status"]'));
  let wanted = true;
  node.addEventListener('toggle', async () => {
    if (!(/** @type {HTMLDetailsElement} */ (node).open && wanted)) return;
    wanted = false;
    said.textContent = '';
    try {
      const answer = await fetch(moduleSource);
      if (!answer.ok) throw new Error(`${moduleSource}: ${answer.status}`);
      node.querySelector('summary')?.after(listing(await answer.json(), label));
    } catch (error) {
      console.warn('module source:', error);
      said.textContent = failed;
      wanted = true;
    }
  });
}

/** @param {Pieces} pieces @param {string} label */
function listing(pieces, label) {
  const code = element('code');
  code.append(...pieces.map(([name, text]) => (name ? element('span', name, text) : text)));
  const pre = element('pre', 'code');
  pre.tabIndex = 0; // it scrolls
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', label);
  pre.append(code);
  return pre;
}
