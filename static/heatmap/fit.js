// How large the squares are, and how the tokens above them are turned.

import { visible } from './words.js';

/** @typedef {import('./payload.js').Model} Model */
/**
 * @typedef {object} Fit in CSS px
 * @property {number} cell side of a square
 * @property {number} width of the window on the squares
 * @property {number} height
 * @property {boolean} scrolls the map is larger than its window
 * @property {'flat' | 'slant' | 'upright'} spin how column labels are turned
 * @property {number} rowWidth of the row labels
 * @property {number} colHeight of the column labels
 * @property {number} limit longest label
 * @property {number} fontSize of the labels
 */

const MIN_CELL = 20;
const MIN_CELL_TOUCH = 24;
const MAX_CELL = 46;
const MAX_HEIGHT = 560;
export const DELTA_WIDTH = 92;

const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));

/** Width of the widest of the tokens (of the first few hundred), up to a limit. @param {string[]} tokens @param {string} font @param {number} limit */
function widest(tokens, font, limit) {
  ruler.font = font;
  let most = 0;
  for (const token of tokens.slice(0, 300)) {
    most = Math.max(most, ruler.measureText(visible(token)).width + 9);
    if (most >= limit) return limit;
  }
  return Math.ceil(most);
}

/**
 * Fit a map into a width.
 * @param {Model} model @param {number} width CSS px @param {string} family font
 * @param {{deltas: boolean, whole: boolean}} options `whole`: all squares in one window, however small
 * @returns {Fit}
 */
export function fit(model, width, family, { deltas, whole }) {
  const { nQ, nK } = model;
  const narrow = width < 480;
  const limit = narrow ? 104 : 150;
  const fontSize = narrow ? 13 : 14;
  const font = `600 ${fontSize}px ${family}`;
  const rowWidth = Math.max(50, widest(model.tokensQ, font, limit) + (narrow ? 6 : 12));
  const colWidth = widest(model.tokensK, font, limit);
  const free = width - rowWidth - (deltas ? DELTA_WIDTH : 0) - 2;
  const least = narrow ? MIN_CELL_TOUCH : MIN_CELL;
  // A slanted last label reaches beyond its square.
  const overhang = (/** @type {number} */ cell) => (colWidth + 8 > cell ? colWidth * 0.72 - cell / 2 : 0);
  let cell = Math.min(MAX_CELL, Math.floor(free / nK));
  while (cell > least && cell * nK + overhang(cell) > free) cell -= 1;
  cell = whole ? Math.min(MAX_CELL, free / nK, MAX_HEIGHT / nQ) : Math.max(cell, least);
  const fits = nK * cell > free || nK * cell + overhang(cell) <= free; // a scrolled map cuts the overhang
  const spin = colWidth + 8 <= cell ? 'flat' : cell >= MIN_CELL && fits ? 'slant' : 'upright';
  const height = Math.min(nQ * cell, MAX_HEIGHT);
  const bodyWidth = Math.min(nK * cell, free);
  return {
    cell, spin, rowWidth, limit, fontSize, height, width: bodyWidth,
    scrolls: nQ * cell > height + 1 || nK * cell > bodyWidth + 1,
    colHeight: Math.ceil({ flat: 24, slant: colWidth * 0.71 + 16, upright: colWidth + 10 }[spin]),
  };
}
