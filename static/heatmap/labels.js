// The tokens along one side of a map: a button each, only those on screen, one tab stop.

import { attribute, el } from './dom.js';
import { repetitionsOf, spoken, visible } from './words.js';

/** @typedef {import('./state.js').Lit} Lit */

const LEAST_PITCH = 16; // px; closer labels would overlap and are skipped

export class Labels {
  /** @param {'row' | 'col'} axis */
  constructor(axis) {
    this.axis = axis;
    this.element = el('div', { class: axis === 'row' ? 'hm-rows' : 'hm-cols', role: 'group' });
    // The browser scrolls a clipped group to a focused label; the map scrolls instead.
    this.element.addEventListener('scroll', () => this.element.scrollTo(0, 0));
    /** @type {Map<number, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {string[]} */
    this.tokens = [];
    this.stop = 0; // the one that Tab reaches
  }

  /** @param {string[]} tokens @param {string} name of the group */
  setTokens(tokens, name) {
    this.element.setAttribute('aria-label', name);
    if (this.tokens === tokens) return;
    const focused = this.buttons.get(this.stop) === document.activeElement;
    this.tokens = tokens;
    this.stop = Math.min(this.stop, tokens.length - 1);
    for (const button of this.buttons.values()) button.remove();
    this.buttons.clear();
    if (focused) this.button(this.stop).focus({ preventScroll: true });
  }

  /** A label's button, made when first asked for. @param {number} index */
  button(index) {
    let button = this.buttons.get(index);
    if (!button) {
      const token = this.tokens[index];
      const turn = repetitionsOf(this.tokens)[index];
      button = el('button', {
        type: 'button', class: 'hm-label', 'data-index': index, title: token.length > 12 ? token : null,
        'aria-label': `${spoken(this.tokens, index).replace(/[«»]/g, '')}, ${this.axis === 'row' ? 'fila' : 'columna'} ${index + 1}`,
        // The turn is drawn by the stylesheet: the visible text stays part of the button's name.
      }, el('bdi', { class: 'hm-token' }, visible(token)), turn ? el('span', { class: 'hm-turn', 'data-turn': turn }) : null);
      this.buttons.set(index, button);
      // In reading order, so that the accessibility tree has it too.
      let next = null;
      for (const [other, node] of this.buttons) {
        if (other > index && (next === null || other < next)) next = other;
        if (node === button) continue;
      }
      this.element.insertBefore(button, next === null ? null : /** @type {Node} */ (this.buttons.get(next)));
    }
    return button;
  }

  /**
   * Show the labels of a range and drop the others.
   * @param {[number, number]} range @param {number} cell px @param {number} offset scrolled px
   * @param {Lit | null} lit
   */
  place([from, to], cell, offset, lit) {
    const stride = Math.max(1, Math.ceil(LEAST_PITCH / cell));
    const wanted = new Set([this.stop]);
    if (lit?.axis === this.axis) wanted.add(lit.index);
    for (let index = from + ((stride - (from % stride)) % stride); index < to; index += stride) wanted.add(index);
    for (const [index, button] of this.buttons) {
      if (!wanted.has(index) && button !== document.activeElement) {
        button.remove();
        this.buttons.delete(index);
      }
    }
    for (const index of wanted) this.button(index);
    for (const [index, button] of this.buttons) {
      button.style.setProperty('--hm-at', `${index * cell - offset}px`);
      button.classList.toggle('hm-away', index < from || index >= to);
    }
  }

  /** @param {Lit | null} lit @param {boolean} locked */
  mark(lit, locked) {
    for (const [index, button] of this.buttons) {
      const own = lit?.axis === this.axis && lit.index === index;
      const crossed = lit !== null && lit.axis !== this.axis && lit.cell === index;
      attribute(button, 'data-lit', own ? 'own' : crossed ? 'cross' : null);
      attribute(button, 'aria-pressed', String(own && locked));
      button.tabIndex = index === this.stop ? 0 : -1;
    }
  }

  /** @param {EventTarget | null} target @returns {Lit | null} */
  litOf(target) {
    const button = target instanceof Element ? target.closest('button') : null;
    return button ? { axis: this.axis, index: Number(button.dataset.index), cell: null } : null;
  }
}
