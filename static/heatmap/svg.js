// What is shown, as one SVG document with its colours written in.

import { escape } from './html.js';
import { step } from './paint.js';
import { cut, number, repetitionsOf, visible } from './words.js';

/** @typedef {import('./paint.js').Sheet} Sheet */
/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./state.js').Lit} Lit */

const CELL = 34;
const SMALL_CELL = 18; // of three heads and more
const RECTS_AT_MOST = 16384; // beyond, the squares go in as one picture

/** A token as it stands beside a map; repeated ones carry their turn. @param {string[]} tokens @param {number} k */
const name = (tokens, k) => {
  const turn = repetitionsOf(tokens)[k];
  const below = [...String(turn || '')].map((digit) => '₀₁₂₃₄₅₆₇₈₉'[Number(digit)]);
  return `${cut(visible(tokens[k]), 18)}${below.join('')}`;
};

/** Width that the longest of a list's names takes. @param {string[]} tokens @param {number} size of the letters */
export const longest = (tokens, size) =>
  Math.max(...tokens.slice(0, 120).map((_, k) => [...name(tokens, k)].length)) * size * 0.62;

/**
 * @param {Model} model
 * @param {{caption: string, sheet: Sheet}[]} maps two side by side; more, smaller, in rows
 * @param {Lit | null} lit @param {Palette} palette @param {string} legend
 * @returns {{svg: string, width: number, height: number}}
 */
export function drawSvg(model, maps, lit, palette, legend) {
  const { nQ, nK } = model;
  const few = maps.length <= 2;
  const columns = few ? maps.length : Math.ceil(Math.sqrt(maps.length));
  const [largest, room] = few ? [CELL, 1600] : [SMALL_CELL, 2400 / columns];
  const cell = Math.max(1, Math.min(largest, room / Math.max(nQ, nK)));
  const labelled = cell >= 14;
  const size = Math.min(14, cell * 0.8);
  const [rowNames, columnNames] = [longest(model.tokensQ, size), longest(model.tokensK, size)];
  const left = labelled ? rowNames + 16 : 8;
  const top = 44 + (labelled ? columnNames * 0.71 + 14 : 8);
  const pitch = left + nK * cell + (labelled ? columnNames * 0.71 : 16);
  const fall = top + nQ * cell;
  const width = Math.ceil(pitch * columns + 16);
  const height = Math.ceil(fall * Math.ceil(maps.length / columns) + 40);
  const whole = RECTS_AT_MOST / maps.length;
  const parts = maps.map(({ caption, sheet }, m) => '<g transform="translate('
    + `${(m % columns) * pitch + left} ${Math.floor(m / columns) * fall + top})">`
    + `<text x="${-left + 8}" y="${-top + 24}" font-weight="600" font-size="16">${escape(captionFor(caption, pitch))}</text>`
    + squares(sheet, cell, palette, whole) + (labelled ? labels(model, cell, size, true, lit) : '')
    + (lit ? light(sheet, cell, palette, lit) : '') + '</g>');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" `
    + `viewBox="0 0 ${width} ${height}" font-family="${escape(palette.font.replace(/"/g, "'"))}" fill="${palette.ink}">`
    + `<title>${escape(model.title || 'Mapa de atención')}</title><rect width="100%" height="100%" fill="${palette.paper}"/>`
    + `${parts.join('')}<text x="8" y="${height - 12}" font-size="12">${escape(legend)}</text></svg>`;
  return { svg, width, height };
}

/** @param {string} caption @param {number} width px @returns {string} as much of it as fits */
const captionFor = (caption, width) => cut(caption, Math.max(6, Math.floor(width / 9)));

/** @param {Sheet} sheet @param {number} cell @param {Palette} palette @param {number} most rects; beyond, one picture */
function squares(sheet, cell, palette, most) {
  const { nQ, nK, mask } = sheet;
  if (nQ * nK > most) {
    const canvas = document.createElement('canvas');
    canvas.width = nK;
    canvas.height = nQ;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const image = context.createImageData(nK, nQ);
    const pixels = new Uint32Array(image.data.buffer);
    for (let c = 0; c < nQ * nK; c += 1) {
      pixels[c] = mask?.[c] ? palette.hatchPixel : palette.pixels[step(sheet, Math.floor(c / nK), c % nK)];
    }
    context.putImageData(image, 0, 0);
    return `<image href="${canvas.toDataURL()}" width="${nK * cell}" height="${nQ * cell}" `
      + 'preserveAspectRatio="none" style="image-rendering:pixelated"/>';
  }
  const side = cell >= 14 ? cell - 1 : cell;
  let drawn = '';
  let hatch = '';
  for (let i = 0; i < nQ; i += 1) {
    for (let j = 0; j < nK; j += 1) {
      const [x, y] = [j * cell, i * cell];
      drawn += `<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="${palette.ramp[step(sheet, i, j)]}"/>`;
      if (mask?.[i * nK + j]) hatch += hatching(x, y, side);
    }
  }
  return `${drawn}${hatch ? `<path d="${hatch}" stroke="${palette.hatch}" fill="none"/>` : ''}`;
}

/** Lines across a masked square, as a path. @param {number} x @param {number} y @param {number} side */
export function hatching(x, y, side) {
  const at = (/** @type {number} */ f) => round(side * f);
  const lines = [0.34, 0.67, 1].map((f) => `M${x} ${y + at(f)}L${x + at(f)} ${y}`);
  return lines.concat([0.34, 0.67].map((f) => `M${x + at(f)} ${y + side}L${x + side} ${y + at(f)}`)).join('');
}

/**
 * The tokens beside a map and above it.
 * @param {Model} model @param {number} cell @param {number} size px of the letters
 * @param {boolean} slanted the ones above @param {Lit | null} lit
 */
export function labels(model, cell, size, slanted, lit) {
  const weight = (/** @type {'row' | 'col'} */ axis, /** @type {number} */ k) =>
    (lit?.axis === axis && lit.index === k ? ' font-weight="700"' : '');
  const middle = (/** @type {number} */ k) => (k + 0.5) * cell;
  const rows = model.tokensQ.map((_, i) => `<text x="-8" y="${round(middle(i) + size * 0.35)}" text-anchor="end"`
    + `${weight('row', i)}>${escape(name(model.tokensQ, i))}</text>`);
  const columns = model.tokensK.map((_, j) => (slanted
    ? `<text transform="translate(${round(middle(j) + 4)} -7) rotate(-45)"` : `<text x="${middle(j)}" y="-7" text-anchor="middle"`)
    + `${weight('col', j)}>${escape(name(model.tokensK, j))}</text>`);
  return `<g font-size="${size}">${rows.join('')}${columns.join('')}</g>`;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {Sheet} sheet @param {number} cell @param {Palette} palette @param {Lit} lit */
function light(sheet, cell, palette, lit) {
  const row = lit.axis === 'row';
  const [w, h] = [sheet.nK * cell, sheet.nQ * cell];
  const at = lit.index * cell;
  const veil = row
    ? `M0 0H${w}V${at}H0zM0 ${at + cell}H${w}V${h}H0z` : `M0 0H${at}V${h}H0zM${at + cell} 0H${w}V${h}H${at + cell}z`;
  let text = '';
  for (let k = 0; cell >= 28 && k < (row ? sheet.nK : sheet.nQ); k += 1) {
    const [i, j] = row ? [lit.index, k] : [k, lit.index];
    if (sheet.mask?.[i * sheet.nK + j]) continue;
    text += `<text x="${(j + 0.5) * cell}" y="${(i + 0.5) * cell + 4}" text-anchor="middle" font-size="11" `
      + `fill="${palette.inkOn[step(sheet, i, j)]}">${number(sheet.values[i * sheet.nK + j])}</text>`;
  }
  const frame = row ? `x="0" y="${at}" width="${w}" height="${cell}"` : `x="${at}" y="0" width="${cell}" height="${h}"`;
  return `<path d="${veil}" fill="${palette.paper}" opacity="0.74"/>${text}`
    + `<rect ${frame} fill="none" stroke="${palette.accent}" stroke-width="2"/>`;
}
