// The same numbers as a real table: for screen readers, for print, and one keypress away.

import { el } from './dom.js';
import { hasNoKeys } from './payload.js';
import { number, repetitionsOf, visible } from './words.js';

/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./payload.js').Values} Values */

export const TABLE_AT_MOST = 64; // rows and columns; the rest is in the CSV

/** @param {string[]} tokens @param {number} index */
function heading(tokens, index) {
  const turn = repetitionsOf(tokens)[index];
  return [el('bdi', {}, visible(tokens[index])), turn ? el('sub', {}, String(turn)) : null];
}

/**
 * Build the table of one map.
 * @param {Model} model @param {Values} values (n_q, n_k) @param {string} name of what is shown
 * @param {Values | null} deltas ‖Δoutput‖ per query
 * @returns {HTMLTableElement}
 */
export function buildTable(model, values, name, deltas) {
  const rows = Math.min(model.nQ, TABLE_AT_MOST);
  const columns = Math.min(model.nK, TABLE_AT_MOST);
  const cut = rows < model.nQ || columns < model.nK;
  const caption = `Pesos de atención, ${name}: cada fila es una query; cada columna, una key.${cut
    ? ` Se muestran ${rows} × ${columns} de ${model.nQ} × ${model.nK}; el CSV los tiene todos.` : ''}`;
  const head = el('tr', {}, el('td', {}));
  for (let j = 0; j < columns; j += 1) {
    head.append(el('th', { scope: 'col' }, ...heading(model.tokensK, j)));
  }
  if (deltas) head.append(el('th', { scope: 'col' }, '‖Δsalida‖'));
  const body = el('tbody');
  for (let i = 0; i < rows; i += 1) {
    const line = el('tr', {}, el('th', { scope: 'row' }, ...heading(model.tokensQ, i)));
    if (hasNoKeys(model, i)) {
      line.append(el('td', { colspan: columns, class: 'hm-td-none' }, 'sin claves'));
    } else {
      for (let j = 0; j < columns; j += 1) {
        const hidden = model.mask?.[i * model.nK + j];
        line.append(el('td', hidden ? { class: 'hm-td-hidden' } : {},
          hidden ? 'oculta' : number(values[i * model.nK + j])));
      }
    }
    if (deltas) line.append(el('td', {}, number(deltas[i])));
    body.append(line);
  }
  return el('table', { class: 'hm-table' }, el('caption', {}, caption), el('thead', {}, head), body);
}
