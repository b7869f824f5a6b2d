// The same numbers as a real table: for screen readers, for print, and one keypress away.

import { hasNoKeys } from './payload.js';
import { number, repetitionsOf, visible } from './words.js';

/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./payload.js').Values} Values */
/**
 * Makes an element: `el` of dom.js in a page, of html.js in a builder.
 * @template T
 * @typedef {(tag: keyof HTMLElementTagNameMap, attributes?: Record<string, string | number | boolean | null | undefined>,
 *   ...children: (T | string | null)[]) => T} Maker
 */

export const TABLE_AT_MOST = 64; // rows and columns; the rest is in the CSV

/**
 * @template T
 * @param {Maker<T>} el @param {'row' | 'col'} scope @param {string[]} tokens @param {number} index
 */
function heading(el, scope, tokens, index) {
  const turn = repetitionsOf(tokens)[index];
  return el('th', { scope }, el('bdi', {}, visible(tokens[index])), turn ? el('sub', {}, String(turn)) : null);
}

/**
 * Build the table of one map.
 * @template T
 * @param {Maker<T>} el
 * @param {Model} model @param {Values} values (n_q, n_k) @param {string} name of what is shown
 * @param {Values | null} deltas ‖Δoutput‖ per query
 * @returns {T}
 */
export function buildTable(el, model, values, name, deltas) {
  const rows = Math.min(model.nQ, TABLE_AT_MOST);
  const columns = Math.min(model.nK, TABLE_AT_MOST);
  const cut = rows < model.nQ || columns < model.nK;
  const caption = `Pesos de atención, ${name}: cada fila es una query; cada columna, una key.${cut
    ? ` Se muestran ${rows} × ${columns} de ${model.nQ} × ${model.nK}; el CSV los tiene todos.` : ''}`;
  const range = (/** @type {number} */ count) => Array.from({ length: count }, (_, k) => k);
  const head = el('tr', {}, el('td', {}), ...range(columns).map((j) => heading(el, 'col', model.tokensK, j)),
    deltas && el('th', { scope: 'col' }, '‖Δsalida‖'));
  const square = (/** @type {number} */ c) => (model.mask?.[c]
    ? el('td', { class: 'hm-td-hidden' }, 'oculta') : el('td', {}, number(values[c])));
  const line = (/** @type {number} */ i) => el('tr', {}, heading(el, 'row', model.tokensQ, i),
    ...(hasNoKeys(model, i)
      ? [el('td', { colspan: columns, class: 'hm-td-none' }, 'sin claves')]
      : range(columns).map((j) => square(i * model.nK + j))),
    deltas && el('td', {}, number(deltas[i])));
  return el('table', { class: 'hm-table' }, el('caption', {}, caption), el('thead', {}, head),
    el('tbody', {}, ...range(rows).map(line)));
}
