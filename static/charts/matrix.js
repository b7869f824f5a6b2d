/** A matrix as shaded cells with their numbers; negative values take another hue. */

import { short, tenth } from './numbers.js';

/** @typedef {import('./figure.js').Drawing} Drawing */
/** @typedef {import('./figure.js').Mark} Mark */
/**
 * @typedef {object} Matrix as `show_matrix` records it
 * @property {string} title
 * @property {string[]} row_labels
 * @property {string[]} col_labels
 * @property {{shape: number[], data: ArrayLike<number>}} values (r, c)
 */

export const MAX_CELLS = 1600; // squares that are drawn
const NUMBERS_UP_TO = 12; // columns: beyond, squares are too narrow for their number
const LETTER = 7; // px, a generous mean width
const TOP = 26; // px, for the columns' names

/** Of a large matrix only the first rows are drawn, and the words say so. @param {Matrix} payload @returns {Drawing} */
export function matrixDrawing({ row_labels: rowLabels, col_labels: colLabels, values }) {
  const [rows, columns] = values.shape;
  const numbers = Array.from(values.data);
  const shown = Math.max(1, Math.min(rows, Math.floor(MAX_CELLS / columns)));
  const room = Math.floor(560 / (columns + 2));
  const size = Math.max(8, Math.min(46, room));
  const longest = (/** @type {string[]} */ labels) => Math.max(...labels.map((label) => [...label].length));
  const width = Math.max(size, Math.min(LETTER * longest(colLabels) + LETTER, room)); // as its column's name
  const left = 12 + LETTER * longest(rowLabels);
  const [low, high] = numbers.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  const largest = Math.max(-low, high) || 1;
  /** @type {Mark[]} */
  const marks = colLabels.map((label, j) =>
    ['text', { class: 'tick', x: left + (j + 0.5) * width, y: TOP - 8 }, shortened(label, width)]);
  for (let i = 0; i < shown; i += 1) {
    const y = TOP + i * size;
    marks.push(['text', { class: 'tick end', x: left - 6, y: y + size / 2 + 4 }, rowLabels[i]]);
    for (let j = 0; j < columns; j += 1) {
      const box = { x: left + j * width, y, width: width - 1, height: size - 1 };
      marks.push(...cell(numbers[i * columns + j], box, largest, columns <= NUMBERS_UP_TO));
    }
  }
  const cut = shown < rows ? `; se dibujan las primeras ${shown} filas de ${rows}` : '';
  const said = `matriz de ${rows} por ${columns}, de ${short(low)} a ${short(high)}${cut}`;
  const row = (/** @type {number} */ i) => numbers.slice(i * columns, (i + 1) * columns).map((v) => short(v, 4));
  return {
    width: left + columns * width + 4, height: TOP + shown * size + 4, said, marks,
    table: { head: ['', ...colLabels], rows: rowLabels.slice(0, shown).map((label, i) => [label, ...row(i)]) },
  };
}

/**
 * @param {number} value @param {{x: number, y: number, width: number, height: number}} box
 * @param {number} largest @param {boolean} numbered @returns {Mark[]}
 */
function cell(value, box, largest, numbered) {
  const strength = Math.abs(value) / largest;
  const sign = value < 0 ? 'negative' : 'positive';
  /** @type {Mark} */
  const square = ['rect', { class: `cell-${sign}`, 'fill-opacity': Math.round(strength * 1000) / 1000, ...box }, null];
  if (!numbered) return [square];
  const place = { x: box.x + box.width / 2, y: tenth(box.y + box.height / 2 + 4.5) };
  return [square, ['text', { class: strength > 0.55 ? 'number strong' : 'number', ...place }, short(value, 2)]];
}

/** @param {string} label @param {number} width px */
function shortened(label, width) {
  const letters = [...label];
  const room = Math.max(1, Math.floor(width / LETTER));
  return letters.length <= room ? label : `${letters.slice(0, Math.max(1, room - 1)).join('')}…`;
}
