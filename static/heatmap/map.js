// One map: squares on a canvas between the labels of its rows and columns.

import { attribute, el, setText, sizedContext } from './dom.js';
import { fit } from './fit.js';
import { Labels } from './labels.js';
import { SINGLE_FROM, paintLight, paintSquares, visibleRange } from './paint.js';
import { number } from './words.js';

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
 * @property {(event: KeyboardEvent, here: Lit) => void} key in a label
 */

export class MapPanel {
  /** @param {Hooks} hooks @param {{q: string, k: string}} axes */
  constructor(hooks, axes = { q: 'query (quién mira)', k: 'key (a quién)' }) {
    this.hooks = hooks;
    this.caption = el('p', { class: 'hm-map-caption' });
    this.rows = new Labels('row');
    this.cols = new Labels('col');
    this.base = el('canvas', { class: 'hm-base', 'aria-hidden': 'true' });
    this.over = el('canvas', { class: 'hm-over', 'aria-hidden': 'true' });
    this.stage = el('div', { class: 'hm-stage' }, this.base, this.over);
    this.sizer = el('div', { class: 'hm-sizer' }, this.stage);
    this.body = el('div', { class: 'hm-body' }, this.sizer);
    this.side = el('div', { class: 'hm-side', hidden: true });
    this.cap = el('p', { class: 'hm-note hm-cap' });
    this.element = el('div', { class: 'hm-map' }, this.caption,
      el('p', { class: 'hm-axis hm-axis-q' }, axes.q), el('p', { class: 'hm-axis hm-axis-k' }, axes.k),
      this.rows.element, this.cols.element, this.body, this.side, this.cap);
    /** @type {Lit | null} */
    this.lit = null;
    this.locked = false;
    this.scrolls = false;
    this.view = { x: 0, y: 0, width: 1, height: 1, cell: 1 };
    /** @type {Model | null} */ this.model = null;
    /** @type {Sheet | null} */ this.sheet = null;
    /** @type {Palette | null} */ this.palette = null;
    /** @type {Values | null} */ this.deltas = null;
    this.listen();
  }

  listen() {
    const { body, hooks } = this;
    body.addEventListener('scroll', () => this.scrolled(), { passive: true });
    body.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch') hooks.point(this.squareAt(event));
    });
    body.addEventListener('pointerleave', () => hooks.point(null));
    body.addEventListener('click', (event) => {
      const lit = this.squareAt(event);
      if (lit) hooks.pick(lit);
    });
    for (const labels of [this.rows, this.cols]) {
      const group = labels.element;
      group.addEventListener('pointerover', (event) => {
        if (event.pointerType !== 'touch') hooks.point(labels.litOf(event.target));
      });
      group.addEventListener('pointerleave', () => hooks.point(null));
      group.addEventListener('click', (event) => {
        const lit = labels.litOf(event.target);
        if (lit) hooks.pick(lit);
      });
      group.addEventListener('focusin', (event) => {
        const lit = labels.litOf(event.target);
        if (lit) this.reveal(lit); // Tab may reach a label that was scrolled away
        hooks.focus(lit);
      });
      group.addEventListener('focusout', () => hooks.focus(null));
      group.addEventListener('keydown', (event) => {
        const lit = labels.litOf(event.target);
        if (lit) hooks.key(event, lit);
      });
    }
  }

  /** @param {MouseEvent} event @returns {Lit | null} the row under the pointer, and its square */
  squareAt(event) {
    if (!this.model) return null;
    const box = this.stage.getBoundingClientRect();
    const i = Math.floor((event.clientY - box.top + this.view.y) / this.view.cell);
    const j = Math.floor((event.clientX - box.left + this.view.x) / this.view.cell);
    if (i < 0 || j < 0 || i >= this.model.nQ || j >= this.model.nK) return null;
    return { axis: 'row', index: i, cell: j };
  }

  /**
   * @param {Model} model @param {Sheet} sheet
   * @param {{name: string, caption: string, deltas: Values | null}} texts
   */
  setData(model, sheet, { name, caption, deltas }) {
    if (this.model !== model) this.lit = null; // its row may be gone; light() comes with the new one
    this.model = model;
    this.sheet = sheet;
    this.deltas = deltas;
    setText(this.caption, caption);
    this.rows.setTokens(model.tokensQ, `Filas: queries de ${name}`);
    this.cols.setTokens(model.tokensK, `Columnas: keys de ${name}`);
  }

  /**
   * Choose the side of a square for a width, and size everything.
   * @param {number} width CSS px @param {Palette} palette @param {boolean} whole fit it all
   */
  layout(width, palette, whole) {
    const { model, element, body } = this;
    if (!model) return;
    this.palette = palette;
    const size = fit(model, width, palette.font, { deltas: this.deltas !== null, whole });
    this.scrolls = size.scrolls;
    element.dataset.spin = size.spin;
    for (const [name, value] of Object.entries({
      cell: size.cell, 'row-width': size.rowWidth, 'col-height': size.colHeight,
      'label-limit': size.limit, 'label-size': size.fontSize,
    })) element.style.setProperty(`--hm-${name}`, `${value}px`);
    const box = (/** @type {HTMLElement} */ node, /** @type {number} */ w, /** @type {number} */ h) => {
      node.style.width = `${w}px`;
      node.style.height = `${h}px`;
    };
    box(this.sizer, model.nK * size.cell, model.nQ * size.cell);
    box(body, size.width, size.height);
    element.classList.toggle('hm-scrolls', size.scrolls);
    attribute(body, 'tabindex', size.scrolls ? '0' : null);
    attribute(body, 'role', size.scrolls ? 'group' : null);
    attribute(body, 'aria-label', size.scrolls ? 'Cuadrícula: se desplaza con las flechas' : null);
    const seen = [size.height, size.width].map((length) => Math.round(length / size.cell));
    setText(this.cap, size.scrolls
      ? `Se ven ${seen[0]} × ${seen[1]} casillas de ${model.nQ} × ${model.nK}: desplaza el mapa o pulsa «Mapa entero».` : '');
    this.view = { ...this.view, cell: size.cell, width: size.width, height: size.height };
    this.scrolled();
  }

  /** Do several squares share a pixel? */
  get pooled() { return this.view.cell < SINGLE_FROM; }

  /** Labels and squares follow the window. */
  scrolled() {
    const { view, model, lit } = this;
    if (!model) return;
    view.x = this.body.scrollLeft;
    view.y = this.body.scrollTop;
    this.rows.place(visibleRange(view.y, view.height, view.cell, model.nQ), view.cell, view.y, lit);
    this.cols.place(visibleRange(view.x, view.width, view.cell, model.nK), view.cell, view.x, lit);
    this.rows.mark(lit, this.locked);
    this.cols.mark(lit, this.locked);
    this.placeDeltas();
    if (this.sheet && this.palette) {
      paintSquares(sizedContext(this.base, view.width, view.height), this.sheet, view, this.palette);
    }
    this.paintOver();
  }

  paintOver() {
    const { sheet, palette, view } = this;
    if (!sheet || !palette) return;
    const context = sizedContext(this.over, view.width, view.height);
    paintLight(context, sheet, view, palette, this.lit, this.locked);
  }

  /** ‖Δoutput‖ of each query: a bar and its number. */
  placeDeltas() {
    const { side, deltas, model, view } = this;
    side.hidden = !deltas;
    side.replaceChildren();
    if (!deltas || !model) return;
    const most = Math.max(0, ...deltas);
    const [from, to] = visibleRange(view.y, view.height, view.cell, model.nQ);
    side.append(el('p', { class: 'hm-side-title' }, '‖Δsalida‖'));
    for (let i = from; i < to && view.cell >= 12; i += 1) {
      const bar = el('span', { class: 'hm-bar' });
      bar.style.width = `${most > 0 ? Math.round((deltas[i] / most) * 44) : 0}px`;
      const line = el('div', { class: 'hm-delta' }, bar, el('span', {}, number(deltas[i])));
      line.style.top = `${i * view.cell - view.y}px`;
      side.append(line);
    }
  }

  /** @param {Lit | null} lit @param {boolean} locked */
  light(lit, locked) {
    this.lit = lit;
    this.locked = locked;
    const labels = lit?.axis === 'col' ? this.cols : this.rows;
    if (lit) labels.stop = lit.index;
    if (lit && !labels.buttons.has(lit.index)) this.scrolled();
    else {
      this.rows.mark(lit, locked);
      this.cols.mark(lit, locked);
      this.paintOver();
    }
  }

  /** Scroll a row or column (and square) into the window. @param {Lit} lit */
  reveal(lit) {
    const { body, view } = this;
    const [i, j] = lit.axis === 'row' ? [lit.index, lit.cell] : [lit.cell, lit.index];
    const into = (/** @type {number} */ scroll, /** @type {number} */ size, /** @type {number} */ at) =>
      Math.max(at + view.cell - size, Math.min(scroll, at));
    if (i !== null) body.scrollTop = into(body.scrollTop, body.clientHeight, i * view.cell);
    if (j !== null) body.scrollLeft = into(body.scrollLeft, body.clientWidth, j * view.cell);
  }

  /** Give the focus to a label. @param {Lit} lit */
  focus(lit) {
    const labels = lit.axis === 'row' ? this.rows : this.cols;
    this.reveal(lit);
    labels.stop = lit.index;
    this.lit = lit;
    this.scrolled();
    labels.button(lit.index).focus({ preventScroll: true });
  }
}
