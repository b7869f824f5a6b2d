/** What a cell draws without the heatmap, as elements of the page. */

import { figure } from './charts/figure.js';

const SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = new Set(['svg', 'path', 'line', 'rect', 'circle', 'text']);

/**
 * @param {string} kind `lines`, `matrix` or `progress`
 * @param {any} payload as `show_lines` and its like record it
 * @returns {Element}
 */
export const chart = (kind, payload) => figure(element, kind, payload);

/**
 * @param {string} tag @param {Record<string, string | number>} [attributes]
 * @param {...(Element | string)} children
 * @returns {Element}
 */
function element(tag, attributes = {}, ...children) {
  const made = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}
