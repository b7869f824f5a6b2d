// All heads as small multiples, on one canvas; each is the radio that chooses it.

import { el, freshId, setText, sizedContext } from './dom.js';
import { fillPixels } from './paint.js';
import { says } from './words.js';

/** @typedef {import('./paint.js').Sheet} Sheet */
/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('./payload.js').Model} Model */

const GAP = 12;
const CAPTION = 34; // two lines under a tile
const CAPTION_SHORT = 20;
const PAINT_ALL_UP_TO = 400_000; // squares; beyond, only the tiles on screen

export class Tiles {
  /** @param {(head: number) => void} choose */
  constructor(choose) {
    this.canvas = el('canvas', { class: 'hm-tiles-canvas', 'aria-hidden': 'true' });
    this.group = el('div', { class: 'hm-tiles-grid', role: 'radiogroup', 'aria-label': 'Cabeza' });
    this.element = el('div', { class: 'hm-tiles' }, this.canvas, this.group);
    this.name = freshId('hm-head');
    /** @type {HTMLInputElement[]} */
    this.inputs = [];
    this.size = 72;
    this.columns = 1;
    this.caption = CAPTION;
    this.small = true;
    /** @type {Set<number>} rows of tiles already painted */
    this.painted = new Set();
    this.group.addEventListener('change', (event) => {
      if (event.target instanceof HTMLInputElement) choose(Number(event.target.value));
    });
  }

  /** One radio per head. @param {Model} model */
  setHeads(model) {
    while (this.inputs.length > model.numHeads) this.inputs.pop()?.closest('label')?.remove();
    for (let head = 0; head < model.numHeads; head += 1) {
      let input = this.inputs[head];
      if (!input) {
        input = el('input', { type: 'radio', name: this.name, value: head });
        this.inputs.push(input);
        this.group.append(el('label', { class: 'hm-tile' },
          input, el('span', { class: 'hm-tile-square' }),
          el('span', { class: 'hm-tile-name' },
            el('span', { class: 'hm-tile-number' }, String(head + 1)), ' ', el('bdi', {}))));
      }
      const label = model.headLabels[head];
      const name = input.closest('label')?.querySelector('bdi');
      if (name) setText(name, says(label) ? label : '');
      input.setAttribute('aria-label', says(label) ? `cabeza ${head + 1}: ${label}` : `cabeza ${head + 1}`);
      input.closest('label')?.setAttribute('title', says(label) ? label : `cabeza ${head + 1}`);
    }
    const named = model.headLabels.some(says);
    this.caption = named ? CAPTION : CAPTION_SHORT;
    this.size = model.numHeads <= 8 ? 88 : model.numHeads <= 24 ? 72 : 64;
  }

  /** @param {number} width CSS px @param {Model} model */
  layout(width, model) {
    const least = this.caption === CAPTION && model.numHeads <= 24 ? Math.max(this.size, 78) : this.size;
    this.small = model.numHeads * model.nQ * model.nK <= PAINT_ALL_UP_TO;
    let size = Math.min(least, Math.floor((width - 3 * GAP) / 4));
    this.columns = Math.max(1, Math.min(model.numHeads, Math.floor((width + GAP) / (size + GAP))));
    size = Math.max(24, size);
    this.size = size;
    const { style } = this.element;
    style.setProperty('--hm-tile', `${size}px`);
    style.setProperty('--hm-tile-caption', `${this.caption}px`);
    style.setProperty('--hm-tile-gap', `${GAP}px`);
    style.setProperty('--hm-tile-columns', String(this.columns));
    const lines = Math.ceil(model.numHeads / this.columns);
    this.width = this.columns * (size + GAP) - GAP;
    this.height = lines * (size + this.caption + GAP) - GAP;
    this.element.style.height = `${this.height}px`;
  }

  /**
   * Paint the tiles that are on screen and not yet painted.
   * @param {(head: number) => Sheet} sheetOf @param {Palette} palette
   * @param {boolean} fresh forget what was painted
   */
  paint(sheetOf, palette, fresh) {
    if (!this.width || !this.height) return;
    if (fresh) this.painted.clear();
    const context = sizedContext(this.canvas, this.width, this.height);
    const ratio = this.canvas.width / this.width;
    const box = this.canvas.getBoundingClientRect();
    const pitch = this.size + this.caption + GAP;
    const side = Math.round(this.size * ratio);
    const total = this.inputs.length;
    for (let line = 0; line * this.columns < total; line += 1) {
      const top = box.top + line * pitch;
      const far = !this.small && !matchMedia('print').matches && (top > window.innerHeight + 200 || top + pitch < -200);
      if (this.painted.has(line) || far) continue;
      this.painted.add(line);
      const image = context.createImageData(this.canvas.width, side);
      const pixels = new Uint32Array(image.data.buffer);
      for (let c = 0; c < this.columns && line * this.columns + c < total; c += 1) {
        const sheet = sheetOf(line * this.columns + c);
        const longest = Math.max(sheet.nQ, sheet.nK);
        const width = Math.max(1, Math.round((side * sheet.nK) / longest));
        const height = Math.max(1, Math.round((side * sheet.nQ) / longest));
        fillPixels(pixels, image.width, Math.round(c * (this.size + GAP) * ratio), 0,
          width, height, sheet, palette);
      }
      context.putImageData(image, 0, Math.round(line * pitch * ratio));
    }
  }

  /** Do several squares of a tile share a pixel? @param {Model} model */
  pooled(model) {
    return Math.max(model.nQ, model.nK) > this.size * Math.min(window.devicePixelRatio || 1, 3);
  }

  /** @param {number} head @param {number | null} pinned @param {boolean} off @param {boolean} mean */
  mark(head, pinned, off, mean) {
    this.inputs.forEach((input, index) => {
      input.checked = index === head && !mean;
      const tile = /** @type {HTMLElement} */ (input.closest('label'));
      tile.classList.toggle('hm-tile-pinned', index === pinned);
      tile.classList.toggle('hm-tile-off', off && index === head);
    });
    this.element.classList.toggle('hm-tiles-mean', mean);
  }
}
