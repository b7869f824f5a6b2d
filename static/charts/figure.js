/**
 * What `show_lines`, `show_matrix` and `show_progress` record, as a figure: the same for the page,
 * which makes elements, and for the builder, which makes HTML.
 */

import { linesDrawing } from './lines.js';
import { matrixDrawing } from './matrix.js';
import { short } from './numbers.js';

/** @typedef {[tag: string, attributes: Record<string, string | number>, text: string | null]} Mark of an SVG; colours and fonts are the style sheet's */
/**
 * @typedef {object} Drawing
 * @property {number} width px
 * @property {number} height px
 * @property {string} said the chart in words
 * @property {Mark[]} marks
 * @property {{head: string[], rows: string[][]}} table the numbers, for whoever doesn't see the picture
 */
/**
 * Makes an element, of HTML or SVG; strings become text.
 * @template T
 * @typedef {(tag: string, attributes?: Record<string, string | number>, ...children: (T | string)[]) => T} Maker
 */

/**
 * @template T
 * @param {Maker<T>} el @param {string} kind `lines`, `matrix` or `progress` @param {any} payload @returns {T}
 */
export function figure(el, kind, payload) {
  if (kind === 'progress') return progressBar(el, payload);
  return chart(el, payload.title, kind === 'lines' ? linesDrawing(payload) : matrixDrawing(payload));
}

/** @template T @param {Maker<T>} el @param {string} title @param {Drawing} drawing @returns {T} */
function chart(el, title, { width, height, said, marks, table }) {
  const label = title ? `${title}: ${said}` : said;
  const svg = el('svg', { viewBox: `0 0 ${width} ${height}`, width, role: 'img', 'aria-label': label },
    ...marks.map(([tag, attributes, text]) => el(tag, attributes, ...(text === null ? [] : [text]))));
  return el('figure', { class: 'chart' }, ...(title ? [el('figcaption', {}, title)] : []),
    el('div', { class: 'chart-scroll', tabindex: 0 }, svg), numbers(el, table));
}

/** @template T @param {Maker<T>} el @param {Drawing['table']} table @returns {T} */
function numbers(el, { head, rows }) {
  const first = el('tr', {}, ...head.map((text) => el('th', { scope: 'col' }, text)));
  const lines = rows.map(([name, ...row]) =>
    el('tr', {}, el('th', { scope: 'row' }, name), ...row.map((text) => el('td', {}, text))));
  const table = el('table', {}, el('thead', {}, first), el('tbody', {}, ...lines));
  return el('details', {}, el('summary', {}, 'Ver los números'),
    el('div', { class: 'table-scroll', tabindex: 0 }, table));
}

/**
 * How much is done, as a bar and in words.
 * @template T
 * @param {Maker<T>} el @param {{title: string, done: number, total: number}} payload @returns {T}
 */
function progressBar(el, { title, done, total }) {
  const said = `${short(done, 9)} de ${short(total, 9)}${title ? ` ${title}` : ''}`;
  return el('p', { class: 'progress-bar' },
    el('progress', { value: done, max: total, 'aria-label': title || 'progreso' }), ' ', el('span', {}, said));
}
