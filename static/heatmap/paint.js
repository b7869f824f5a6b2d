// Paint squares on a canvas: only those inside the window, whatever the size of the map.

import { number } from './words.js';

/** @typedef {import('./payload.js').Values} Values */
/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('./state.js').Lit} Lit */

/**
 * @typedef {object} Sheet what one map shows
 * @property {Values} values (n_q, n_k)
 * @property {number} nQ
 * @property {number} nK
 * @property {Uint8Array | null} mask
 * @property {Float64Array | null} rowMax divisor of each row in the scale "per row"; null = absolute
 *
 * @typedef {object} Window what of it is on screen, in CSS px
 * @property {number} x left edge, in map px
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} cell side of a square
 */

const NUMBERS_FROM = 27; // px: "0,62" at 11 px fits
export const SINGLE_FROM = 3; // px: below, squares are pooled into pixels

/** Largest weight of each row. @param {Values} values @param {number} nQ @param {number} nK */
export function rowMaxima(values, nQ, nK) {
  const maxima = new Float64Array(nQ);
  for (let i = 0; i < nQ; i += 1) {
    let most = 0;
    for (let c = i * nK; c < (i + 1) * nK; c += 1) if (values[c] > most) most = values[c];
    maxima[i] = most;
  }
  return maxima;
}

/**
 * Ramp step 0–255 of a square. A row of zeros stays at 0: nothing is divided by zero.
 * @param {Sheet} sheet @param {number} i @param {number} j
 */
export function step(sheet, i, j) {
  const value = sheet.values[i * sheet.nK + j];
  const most = sheet.rowMax ? sheet.rowMax[i] : 1;
  return most > 0 ? Math.max(0, Math.min(255, Math.round((value / most) * 255))) : 0;
}

/** Indices on screen along one axis. @param {number} start @param {number} length @param {number} cell @param {number} count @returns {[number, number]} */
export const visibleRange = (start, length, cell, count) => [
  Math.max(0, Math.floor(start / cell)),
  Math.min(count, Math.ceil((start + length) / cell)),
];

/** Diagonal lines on the ground of weight 0. @param {CanvasRenderingContext2D} context @param {Palette} palette */
function hatchPattern(context, palette) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 20;
  const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  pen.strokeStyle = palette.hatch;
  pen.lineWidth = 4;
  pen.beginPath();
  for (const offset of [-20, 0, 20]) {
    pen.moveTo(offset - 2, 22);
    pen.lineTo(offset + 22, -2);
  }
  pen.stroke();
  const pattern = /** @type {CanvasPattern} */ (context.createPattern(tile, 'repeat'));
  pattern.setTransform(new DOMMatrix().scale(0.3)); // drawn larger, so that the lines stay clean
  return pattern;
}

/**
 * All squares in the window.
 * @param {CanvasRenderingContext2D} context in CSS px @param {Sheet} sheet
 * @param {Window} view @param {Palette} palette
 */
export function paintSquares(context, sheet, view, palette) {
  const { cell } = view;
  context.clearRect(0, 0, view.width, view.height);
  if (cell < SINGLE_FROM) {
    paintPooled(context, sheet, view, palette);
    return;
  }
  const gap = cell >= 14 ? 1 : 0;
  const [i0, i1] = visibleRange(view.y, view.height, cell, sheet.nQ);
  const [j0, j1] = visibleRange(view.x, view.width, cell, sheet.nK);
  const hatch = sheet.mask ? hatchPattern(context, palette) : null;
  /** @type {number[]} */
  const closed = []; // rows without a key
  for (let i = i0; i < i1; i += 1) {
    const y = i * cell - view.y;
    if (sheet.mask && sheet.mask.subarray(i * sheet.nK, (i + 1) * sheet.nK).every((hidden) => hidden)) closed.push(i);
    for (let j = j0; j < j1; j += 1) {
      const x = j * cell - view.x;
      context.fillStyle = palette.ramp[step(sheet, i, j)];
      context.fillRect(x, y, cell - gap, cell - gap);
      if (hatch && sheet.mask?.[i * sheet.nK + j]) {
        context.fillStyle = hatch;
        context.fillRect(x, y, cell - gap, cell - gap);
      }
    }
  }
  if (cell >= 14) for (const i of closed) paintClosed(context, sheet, view, palette, i);
}

/** "sin claves", on a ground of its own. @param {CanvasRenderingContext2D} context @param {Sheet} sheet @param {Window} view @param {Palette} palette @param {number} i */
function paintClosed(context, sheet, view, palette, i) {
  context.font = `500 12px ${palette.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const middle = Math.min(view.width, sheet.nK * view.cell) / 2;
  const y = (i + 0.5) * view.cell - view.y;
  const width = context.measureText('sin claves').width + 10;
  context.fillStyle = palette.paper;
  context.fillRect(middle - width / 2, y - 8, width, 16);
  context.fillStyle = palette.ink;
  context.fillText('sin claves', middle, y + 0.5);
}

/** @param {CanvasRenderingContext2D} context @param {Sheet} sheet @param {Window} view @param {Palette} palette */
function paintPooled(context, sheet, view, palette) {
  const { canvas } = context;
  const image = context.createImageData(canvas.width, canvas.height);
  const size = (view.cell * canvas.width) / view.width; // device px a square
  fillPixels(new Uint32Array(image.data.buffer), canvas.width, 0, 0,
    Math.round(sheet.nK * size), Math.round(sheet.nQ * size), sheet, palette);
  context.putImageData(image, 0, 0);
}

/**
 * A whole map into a rectangle of pixels. Where several squares share a pixel the largest is
 * kept, so that a sharp head stays sharp.
 * @param {Uint32Array} pixels @param {number} stride @param {number} left @param {number} top
 * @param {number} width device px @param {number} height @param {Sheet} sheet @param {Palette} palette
 */
export function fillPixels(pixels, stride, left, top, width, height, sheet, palette) {
  const { nQ, nK, values, mask, rowMax } = sheet;
  const line = new Int16Array(width); // step, or −1 where every pooled square is masked
  // First and one-past-last key under each pixel column.
  const from = new Int32Array(width + 1);
  for (let x = 0; x <= width; x += 1) from[x] = Math.floor((x * nK) / width);
  for (let y = 0; y < height; y += 1) {
    const i0 = Math.floor((y * nQ) / height);
    const i1 = Math.max(i0 + 1, Math.floor(((y + 1) * nQ) / height));
    line.fill(-1);
    for (let i = i0; i < i1; i += 1) {
      const most = rowMax ? rowMax[i] : 1;
      const factor = most > 0 ? 255 / most : 0;
      const row = i * nK;
      for (let x = 0; x < width; x += 1) {
        const end = Math.max(from[x] + 1, from[x + 1]);
        for (let j = from[x]; j < end; j += 1) {
          if (mask && mask[row + j]) continue;
          const level = (values[row + j] * factor + 0.5) | 0;
          if (level > line[x]) line[x] = level;
        }
      }
    }
    const start = (top + y) * stride + left;
    for (let x = 0; x < width; x += 1) {
      const level = line[x];
      pixels[start + x] = level >= 0 ? palette.pixels[level > 255 ? 255 : level]
        : (x + y) % 4 === 0 ? palette.hatchPixel : palette.pixels[0];
    }
  }
}

/**
 * The light over the squares: everything but the lit row or column is veiled; its squares get a
 * frame and, where they fit, their numbers.
 * @param {CanvasRenderingContext2D} context @param {Sheet} sheet @param {Window} view
 * @param {Palette} palette @param {Lit | null} lit @param {boolean} locked
 */
export function paintLight(context, sheet, view, palette, lit, locked) {
  context.clearRect(0, 0, view.width, view.height);
  if (!lit) return;
  const { cell } = view;
  const row = lit.axis === 'row';
  const gap = cell >= 14 ? 1 : 0;
  const band = Math.max(cell - gap, 2);
  const at = lit.index * cell - (row ? view.y : view.x);
  const count = row ? sheet.nK : sheet.nQ;
  const long = Math.min(count * cell - gap, row ? view.width : view.height);

  context.globalAlpha = 0.74;
  context.fillStyle = palette.paper;
  if (row) {
    context.fillRect(0, 0, view.width, at);
    context.fillRect(0, at + band, view.width, view.height);
  } else {
    context.fillRect(0, 0, at, view.height);
    context.fillRect(at + band, 0, view.width, view.height);
  }
  context.globalAlpha = 1;

  if (cell >= NUMBERS_FROM) paintNumbers(context, sheet, view, palette, lit);
  context.strokeStyle = palette.accent;
  context.lineWidth = locked ? 2.5 : 1.5;
  const frame = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h) =>
    context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  if (row) frame(0, at, long, band);
  else frame(at, 0, band, long);
  if (lit.cell !== null) {
    const along = lit.cell * cell - (row ? view.x : view.y);
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    if (row) frame(along, at, band, band);
    else frame(at, along, band, band);
  }
}

/** @param {CanvasRenderingContext2D} context @param {Sheet} sheet @param {Window} view @param {Palette} palette @param {Lit} lit */
function paintNumbers(context, sheet, view, palette, lit) {
  const { cell } = view;
  const row = lit.axis === 'row';
  const [from, to] = row
    ? visibleRange(view.x, view.width, cell, sheet.nK)
    : visibleRange(view.y, view.height, cell, sheet.nQ);
  context.font = `500 ${cell >= 34 ? 12 : 11}px ${palette.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let k = from; k < to; k += 1) {
    const [i, j] = row ? [lit.index, k] : [k, lit.index];
    if (sheet.mask?.[i * sheet.nK + j]) continue;
    context.fillStyle = palette.inkOn[step(sheet, i, j)];
    context.fillText(number(sheet.values[i * sheet.nK + j]),
      (j + 0.5) * cell - 0.5 - view.x, (i + 0.5) * cell + 0.5 - view.y);
  }
}
