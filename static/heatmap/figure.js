// The map without JavaScript and on paper: every head as SVG, its numbers as a table; for a builder.

import { Html, el, escape } from './html.js';
import { headValues, readPayload } from './payload.js';
import { hatching, labels, longest } from './svg.js';
import { buildTable } from './table.js';
import { headTitle } from './words.js';

/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./payload.js').Values} Values */

const CELL = 30; // SVG units a square
const LETTERS = 14;
const LABELLED_UP_TO = 24; // tokens; larger maps are drawn without names
const DRAWN_UP_TO = 64; // tokens; larger maps are left to the live viewer, and the page says so
const TABLES_UP_TO = 1200; // numbers in all tables together
const LEVELS = 40; // shades: 2.5 % a step

/**
 * The figure that a page shows until the viewer takes its node over; of layers, the first.
 * @param {unknown} payload what `show_heads` recorded, as JSON
 * @returns {string} HTML
 * @throws {Error} in Spanish, when the payload is not what it must be
 */
export function staticFigure(payload) {
  const model = readPayload(payload);
  const { numHeads, nQ, nK, layers, mask } = model;
  const title = el('figcaption', {}, model.title || 'pesos de atención por cabeza');
  const most = Math.max(nQ, nK);
  if (most > DRAWN_UP_TO) {
    const heads = numHeads === 1 ? '1 cabeza' : `${numHeads} cabezas`;
    const said = `${heads} de ${nQ} × ${nK}: el mapa interactivo las dibuja con JavaScript.`;
    return `${el('figure', { class: 'heatmap-static' }, title, el('p', {}, said))}`;
  }
  const note = 'Filas: queries (quién mira). Columnas: keys (a quién). Más tinta, más peso, de 0 a 1.'
    + `${mask?.some(Boolean) ? ' Rayadas: casillas enmascaradas.' : ''}`
    + `${layers ? ` Se ve la capa ${layers[0]} de ${layers.length}.` : ''}`;
  const tables = numHeads * nQ * nK <= TABLES_UP_TO;
  const maps = Array.from({ length: numHeads }, (_, head) => oneHead(model, head, tables));
  const size = most <= LABELLED_UP_TO && numHeads <= 16 ? 320 : 120;
  return `${el('figure', { class: 'heatmap-static' }, title,
    el('div', { class: 'hm-static-maps', style: `--hm-static:${size}px` }, ...maps),
    el('p', { class: 'hm-static-note' }, note))}`;
}

/** @param {Model} model @param {number} head @param {boolean} table with its numbers */
function oneHead(model, head, table) {
  const values = headValues(model, 0, head);
  const who = headTitle(model, head, false);
  const name = `${who[0].toLowerCase()}${who.slice(1)}`;
  return el('div', { class: 'hm-static-map' }, el('p', {}, who), drawing(model, values, `Mapa, ${name}`),
    table ? el('details', {}, el('summary', {}, `${who}: tabla`), buildTable(el, model, values, name, null)) : null);
}

/**
 * One head; colours are the style sheet's, names stand where they are readable.
 * @param {Model} model @param {Values} values (n_q, n_k) @param {string} label
 */
function drawing(model, values, label) {
  const { tokensQ, tokensK, nQ, nK } = model;
  const labelled = Math.max(nQ, nK) <= LABELLED_UP_TO;
  const above = longest(tokensK, LETTERS);
  const slanted = above > CELL - 4;
  const left = labelled ? Math.ceil(longest(tokensQ, LETTERS) + 14) : 0;
  const top = labelled ? Math.ceil(slanted ? above * 0.71 + 18 : 22) : 0;
  const right = labelled && slanted ? Math.max(0, Math.ceil(above * 0.71 - CELL / 2)) : 0;
  const width = left + nK * CELL + right;
  return new Html(`<svg viewBox="${-left} ${-top} ${width} ${top + nQ * CELL}" style="max-width:${width}px" `
    + `role="img" aria-label="${escape(label)}">${squares(model, values)}`
    + `${labelled ? labels(model, CELL, LETTERS, slanted, null) : ''}</svg>`);
}

/** A path a shade, and one for the masked squares' hatching. @param {Model} model @param {Values} values */
function squares({ nK, mask }, values) {
  const side = CELL - 1;
  /** @type {string[]} */
  const shades = [];
  let hatch = '';
  values.forEach((value, c) => {
    const [x, y] = [(c % nK) * CELL, Math.floor(c / nK) * CELL];
    const shade = Math.round(Math.min(1, Math.max(0, value)) * LEVELS);
    shades[shade] = `${shades[shade] ?? ''}M${x} ${y}h${side}v${side}h-${side}z`;
    if (mask?.[c]) hatch += hatching(x, y, side);
  });
  const paths = shades.map((path, shade) => `<path class="hm-q" style="--w:${(100 * shade) / LEVELS}%" d="${path}"/>`);
  return `${paths.join('')}${hatch ? `<path class="hm-q-hidden" d="${hatch}"/>` : ''}`;
}
