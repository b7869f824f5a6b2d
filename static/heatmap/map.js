// One map: squares on a canvas, tokens as buttons around it, only those on screen.

import { attribute, el, setText, sizedContext } from './dom.js';
import { paintLight, paintSquares, visibleRange } from './paint.js';
import { number, repetitionsOf, spoken, visible } from './words.js';

/** @typedef {import('./paint.js').Sheet} Sheet */
/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./payload.js').Values} Values */
/** @typedef {import('./state.js').Lit} Lit */
/**
 * @typedef {object} Hooks
 * @property {(lit: Lit | null) => void} point the pointer is over a row, column or square
 * @property {(lit: Lit) => void} pick click or tap
 * @property {(lit: Lit | null) => void} focus a label got or lost the focus
 * @property {(event: KeyboardEvent) => void} key in a label
 */

const MIN_CELL = 20;
const MIN_CELL_TOUCH = 24;
const MAX_CELL = 46;
const MAX_HEIGHT = 560;
const DELTA_WIDTH = 92;

export class MapPanel {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.caption = el('p', { class: 'hm-map-caption' });
    this.cols = el('div', { class: 'hm-cols', role: 'group' });
    this.rows = el('div', { class: 'hm-rows', role: 'group' });
    this.base = el('canvas', { class: 'hm-base', 'aria-hidden': 'true' });
    this.over = el('canvas', { class: 'hm-over', 'aria-hidden': 'true' });
    this.stage = el('div', { class: 'hm-stage' }, this.base, this.over);
    this.sizer = el('div', { class: 'hm-sizer' }, this.stage);
    this.body = el('div', { class: 'hm-body' }, this.sizer);
    this.side = el('div', { class: 'hm-side', hidden: true });
    this.axisK = el('p', { class: 'hm-axis hm-axis-k' }, 'key (a quién)');
    this.axisQ = el('p', { class: 'hm-axis hm-axis-q' }, 'query (quién mira)');
    this.element = el('div', { class: 'hm-map' },
      this.caption, this.axisQ, this.axisK, this.cols, this.rows, this.body, this.side);
    /** @type {{row: Map<number, HTMLButtonElement>, col: Map<number, HTMLButtonElement>}} */
    this.labels = { row: new Map(), col: new Map() };
    /** @type {Lit | null} */
    this.lit = null;
    this.locked = false;
    this.stops = { row: 0, col: 0 }; // the row and the column that Tab reaches
    this.cell = MAX_CELL;
    this.view = { x: 0, y: 0, width: 1, height: 1, cell: MAX_CELL };
    /** @type {Model | null} */ this.model = null;
    /** @type {Sheet | null} */ this.sheet = null;
    /** @type {Palette | null} */ this.palette = null;
    /** @type {Values | null} */ this.deltas = null;
    this.listen();
  }

  listen() {
    const { body, hooks, rows, cols } = this;
    body.addEventListener('scroll', () => this.scrolled(), { passive: true });
    body.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch') hooks.point(this.squareAt(event));
    });
    body.addEventListener('pointerleave', () => hooks.point(null));
    body.addEventListener('click', (event) => {
      const lit = this.squareAt(event);
      if (lit) hooks.pick(lit);
    });
    for (const group of [rows, cols]) {
      const read = (/** @type {Event} */ event) => this.labelOf(event.target);
      group.addEventListener('pointerover', (event) => {
        if (event.pointerType !== 'touch') hooks.point(read(event));
      });
      group.addEventListener('pointerleave', () => hooks.point(null));
      group.addEventListener('click', (event) => {
        const lit = read(event);
        if (lit) hooks.pick(lit);
      });
      group.addEventListener('focusin', (event) => hooks.focus(read(event)));
      group.addEventListener('focusout', () => hooks.focus(null));
      group.addEventListener('keydown', (event) => hooks.key(event));
      // A label can be scrolled into a clipped group by the browser; the map scrolls instead.
      group.addEventListener('scroll', () => group.scrollTo(0, 0));
    }
  }

  /** @param {EventTarget | null} target @returns {Lit | null} */
  labelOf(target) {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button) return null;
    const axis = button.dataset.axis === 'col' ? 'col' : 'row';
    return { axis, index: Number(button.dataset.index), cell: null };
  }

  /** @param {MouseEvent} event @returns {Lit | null} the row under the pointer */
  squareAt(event) {
    if (!this.model) return null;
    const box = this.stage.getBoundingClientRect();
    const i = Math.floor((event.clientY - box.top + this.view.y) / this.cell);
    const j = Math.floor((event.clientX - box.left + this.view.x) / this.cell);
    if (i < 0 || j < 0 || i >= this.model.nQ || j >= this.model.nK) return null;
    return { axis: 'row', index: i, cell: j };
  }

  /**
   * @param {Model} model @param {Sheet} sheet
   * @param {{name: string, caption: string, deltas: Values | null}} texts
   */
  setData(model, sheet, { name, caption, deltas }) {
    if (this.model !== model) {
      for (const axis of /** @type {const} */ (['row', 'col'])) {
        for (const button of this.labels[axis].values()) button.remove();
        this.labels[axis].clear();
      }
    }
    this.model = model;
    this.sheet = sheet;
    this.deltas = deltas;
    this.stops.row = Math.min(this.stops.row, model.nQ - 1);
    this.stops.col = Math.min(this.stops.col, model.nK - 1);
    setText(this.caption, caption);
    this.rows.setAttribute('aria-label', `Filas: queries de ${name}`);
    this.cols.setAttribute('aria-label', `Columnas: keys de ${name}`);
  }

  /**
   * Choose the side of a square for a width, and size everything.
   * @param {number} width CSS px @param {Palette} palette @param {boolean} whole fit it all
   */
  layout(width, palette, whole) {
    const { model } = this;
    if (!model) return;
    this.palette = palette;
    const narrow = width < 480;
    const limit = narrow ? 104 : 150;
    const font = `${narrow ? 13 : 14}px ${palette.font}`;
    const rowWidth = Math.max(44, widest(model.tokensQ, font, limit) + 14);
    const colWidth = widest(model.tokensK, font, limit);
    const free = width - rowWidth - (this.deltas ? DELTA_WIDTH : 0) - 2;
    const least = narrow ? MIN_CELL_TOUCH : MIN_CELL;
    const overhang = (/** @type {number} */ cell) => (colWidth + 8 > cell ? colWidth * 0.72 - cell / 2 : 0);
    let cell = Math.min(MAX_CELL, Math.floor(free / model.nK));
    while (cell > least && cell * model.nK + overhang(cell) > free) cell -= 1;
    if (whole) cell = Math.min(cell, free / model.nK, MAX_HEIGHT / model.nQ);
    else cell = Math.max(cell, least);
    this.cell = cell;
    const spin = colWidth + 8 > cell ? (cell >= MIN_CELL ? 'slant' : 'upright') : 'flat';
    const height = Math.min(model.nQ * cell, MAX_HEIGHT);
    const bodyWidth = Math.min(model.nK * cell, free);
    const scrolls = model.nQ * cell > height + 1 || model.nK * cell > bodyWidth + 1;
    const head = { flat: 24, slant: colWidth * 0.71 + 16, upright: colWidth + 10 }[spin];
    this.element.dataset.spin = spin;
    const { style } = this.element;
    style.setProperty('--hm-cell', `${cell}px`);
    style.setProperty('--hm-row-width', `${rowWidth}px`);
    style.setProperty('--hm-col-height', `${Math.ceil(head)}px`);
    style.setProperty('--hm-label-limit', `${limit}px`);
    style.setProperty('--hm-label-size', narrow ? '13px' : '14px');
    this.sizer.style.width = `${model.nK * cell}px`;
    this.sizer.style.height = `${model.nQ * cell}px`;
    this.body.style.width = `${bodyWidth}px`;
    this.body.style.height = `${height}px`;
    this.element.classList.toggle('hm-scrolls', scrolls);
    attribute(this.body, 'tabindex', scrolls ? '0' : null);
    attribute(this.body, 'role', scrolls ? 'group' : null);
    attribute(this.body, 'aria-label', scrolls ? 'Cuadrícula: se desplaza con las flechas' : null);
    this.view = { ...this.view, cell, width: bodyWidth, height };
    this.scrolled();
  }

  scrolled() {
    this.view.x = this.body.scrollLeft;
    this.view.y = this.body.scrollTop;
    this.placeLabels();
    this.paint();
  }

  paint() {
    const { base, sheet, palette, view } = this;
    if (!sheet || !palette) return;
    paintSquares(sizedContext(base, view.width, view.height), sheet, view, palette);
    this.paintOver();
  }

  paintOver() {
    const { over, sheet, palette, view } = this;
    if (!sheet || !palette) return;
    const context = sizedContext(over, view.width, view.height);
    paintLight(context, sheet, view, palette, this.lit, this.locked);
  }

  placeLabels() {
    const { model, view, cell } = this;
    if (!model) return;
    this.place('row', this.rows, model.tokensQ, visibleRange(view.y, view.height, cell, model.nQ));
    this.place('col', this.cols, model.tokensK, visibleRange(view.x, view.width, cell, model.nK));
    this.placeDeltas();
    this.markLabels();
  }

  /**
   * @param {'row' | 'col'} axis @param {HTMLElement} group @param {string[]} tokens
   * @param {[number, number]} range
   */
  place(axis, group, tokens, [from, to]) {
    const labels = this.labels[axis];
    const stride = Math.max(1, Math.ceil(16 / this.cell)); // labels that would overlap are skipped
    const wanted = (/** @type {number} */ index) =>
      (index >= from && index < to && index % stride === 0)
      || (this.lit?.axis === axis && this.lit.index === index)
      || index === this.stops[axis];
    for (const [index, button] of labels) {
      if (!wanted(index) && button !== document.activeElement) {
        button.remove();
        labels.delete(index);
      }
    }
    const extra = [this.stops[axis]];
    if (this.lit?.axis === axis) extra.push(this.lit.index);
    for (let index = from - (from % stride); index < to; index += stride) extra.push(index);
    const offset = axis === 'row' ? this.view.y : this.view.x;
    for (const index of extra) {
      if (!labels.has(index)) {
        const button = tokenButton(axis, tokens, index);
        labels.set(index, button);
        group.append(button);
      }
    }
    for (const [index, button] of labels) {
      button.style.setProperty('--hm-at', `${index * this.cell - offset}px`);
    }
  }

  placeDeltas() {
    const { side, deltas, model, view, cell } = this;
    side.hidden = !deltas;
    if (!deltas || !model) return;
    const most = Math.max(0, ...deltas);
    const [from, to] = visibleRange(view.y, view.height, cell, model.nQ);
    side.replaceChildren(el('p', { class: 'hm-side-title' }, '‖Δsalida‖'));
    for (let i = from; i < to && cell >= 12; i += 1) {
      const bar = el('span', { class: 'hm-bar' });
      bar.style.width = `${most > 0 ? Math.round((deltas[i] / most) * 44) : 0}px`;
      const line = el('div', { class: 'hm-delta' }, bar, el('span', {}, number(deltas[i])));
      line.style.top = `${i * cell - view.y}px`;
      side.append(line);
    }
  }

  /** @param {Lit | null} lit @param {boolean} locked */
  light(lit, locked) {
    this.lit = lit;
    this.locked = locked;
    if (lit) this.stops[lit.axis] = lit.index;
    if (lit && !this.labels[lit.axis].has(lit.index)) this.placeLabels();
    this.markLabels();
    this.paintOver();
  }

  markLabels() {
    for (const axis of /** @type {const} */ (['row', 'col'])) {
      for (const [index, button] of this.labels[axis]) {
        const own = this.lit?.axis === axis && this.lit.index === index;
        const crossed = this.lit?.axis !== axis && this.lit?.cell === index;
        attribute(button, 'data-lit', own ? 'own' : crossed ? 'cross' : null);
        attribute(button, 'aria-pressed', own && this.locked ? 'true' : 'false');
        button.tabIndex = index === this.stops[axis] ? 0 : -1;
      }
    }
  }

  /** Scroll a row or column (and square) into the window. @param {Lit} lit */
  reveal(lit) {
    const { body, cell } = this;
    const [i, j] = lit.axis === 'row' ? [lit.index, lit.cell] : [lit.cell, lit.index];
    if (i !== null) body.scrollTop = intoRange(body.scrollTop, body.clientHeight, i * cell, cell);
    if (j !== null) body.scrollLeft = intoRange(body.scrollLeft, body.clientWidth, j * cell, cell);
  }

  /** Give the focus to a label. @param {Lit} lit */
  focus(lit) {
    this.reveal(lit);
    this.stops[lit.axis] = lit.index;
    this.lit = lit;
    this.scrolled();
    this.labels[lit.axis].get(lit.index)?.focus({ preventScroll: true });
  }
}

/** @param {number} scroll @param {number} size @param {number} at @param {number} cell */
const intoRange = (scroll, size, at, cell) => Math.max(at + cell - size, Math.min(scroll, at));

/** @param {'row' | 'col'} axis @param {string[]} tokens @param {number} index */
function tokenButton(axis, tokens, index) {
  const turn = repetitionsOf(tokens)[index];
  const text = el('bdi', { class: 'hm-token' }, visible(tokens[index]));
  return el('button', {
    type: 'button', class: 'hm-label', 'data-axis': axis, 'data-index': index,
    title: tokens[index].length > 12 ? tokens[index] : null,
    'aria-label': `${axis === 'row' ? 'fila' : 'columna'} ${index + 1}: ${spoken(tokens, index)}`,
  }, text, turn ? el('sub', {}, String(turn)) : null);
}

const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));

/** Width of the widest of the tokens (the first few hundred), up to a limit. @param {string[]} tokens @param {string} font @param {number} limit */
function widest(tokens, font, limit) {
  ruler.font = font;
  let most = 0;
  for (const token of tokens.slice(0, 300)) {
    most = Math.max(most, ruler.measureText(visible(token)).width + 9);
    if (most >= limit) return limit;
  }
  return Math.ceil(most);
}
