// The sentence under the map: tokens shaded by the lit row's or column's weights, with numbers.

import { attribute, el, setText } from './dom.js';
import { step } from './paint.js';
import { number, ranking, repetitionsOf, spoken, visible } from './words.js';

/** @typedef {import('./paint.js').Sheet} Sheet */
/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./state.js').Lit} Lit */

const WHOLE_UP_TO = 48; // tokens; a longer line shows its heaviest ones
const SHOWN_OF_LONG = 16;

export class Sentence {
  /** @param {(lit: Lit | null) => void} point @param {(lit: Lit) => void} pick */
  constructor(point, pick) {
    this.lead = el('p', { class: 'hm-lead' });
    this.line = el('div', { class: 'hm-line' });
    this.note = el('p', { class: 'hm-note' });
    // The live region says the same in words.
    this.element = el('div', { class: 'hm-sentence', 'aria-hidden': 'true' }, this.lead, this.line, this.note);
    /** @type {Model | null} */ this.model = null;
    /** @type {{key: string, places: number[], chips: HTMLElement[], values: HTMLElement[]}} */
    this.drawn = { key: '', places: [], chips: [], values: [] };
    const read = (/** @type {Event} */ event) => {
      const chip = event.target instanceof Element ? event.target.closest('.hm-chip') : null;
      if (!(chip instanceof HTMLElement) || !this.model?.same) return null;
      return /** @type {Lit} */ ({ axis: 'row', index: Number(chip.dataset.index), cell: null });
    };
    this.line.addEventListener('pointerover', (event) => {
      const lit = read(event);
      if (lit && event.pointerType !== 'touch') point(lit);
    });
    this.line.addEventListener('pointerleave', () => point(null));
    this.line.addEventListener('click', (event) => {
      const lit = read(event);
      if (lit) pick(lit);
    });
  }

  /** @param {Model} model */
  setTokens(model) {
    this.model = model;
    this.drawn.key = '';
  }

  /**
   * Chips for some places of a list of tokens; they are kept and only change their text.
   * @param {string[]} tokens @param {number[]} places @param {string} key
   */
  build(tokens, places, key) {
    const { drawn } = this;
    if (drawn.key === key) return;
    const turns = repetitionsOf(tokens);
    while (drawn.chips.length > places.length) {
      drawn.chips.pop()?.remove();
      drawn.values.pop();
    }
    while (drawn.chips.length < places.length) {
      const value = el('span', { class: 'hm-value' });
      const chip = el('span', { class: 'hm-chip' },
        el('span', { class: 'hm-word' }, el('bdi'), el('sub', { hidden: true })), value);
      drawn.values.push(value);
      drawn.chips.push(chip);
      this.line.append(chip);
    }
    places.forEach((index, k) => {
      const word = /** @type {Element} */ (drawn.chips[k].firstElementChild);
      const [name, turn] = /** @type {HTMLCollectionOf<HTMLElement>} */ (word.children);
      drawn.chips[k].dataset.index = String(index);
      setText(name, visible(tokens[index]));
      setText(turn, String(turns[index] || ''));
      turn.hidden = !turns[index];
      attribute(word, 'title', tokens[index].length > 24 ? tokens[index] : null);
    });
    drawn.key = key;
    drawn.places = places;
  }

  /**
   * @param {Sheet} sheet @param {Lit | null} lit @param {string} name of what is shown
   * @param {Palette} palette
   */
  show(sheet, lit, name, palette) {
    const { model } = this;
    if (!model) return;
    const row = lit ? lit.axis === 'row' : true;
    const tokens = row ? model.tokensK : model.tokensQ;
    const at = (/** @type {number} */ k) =>
      (row ? (lit?.index ?? 0) * sheet.nK + k : k * sheet.nK + (lit?.index ?? 0));
    const hidden = (/** @type {number} */ k) => Boolean(sheet.mask?.[at(k)]);
    const long = tokens.length > WHOLE_UP_TO;
    let places = Array.from({ length: Math.min(tokens.length, WHOLE_UP_TO) }, (_, k) => k);
    if (long && lit) {
      places = ranking(tokens.length, (k) => (hidden(k) ? -1 : sheet.values[at(k)]), SHOWN_OF_LONG)
        .map(([k]) => k).sort((a, b) => a - b);
    }
    const key = long && lit ? `${row}:${places}` : `${row && !model.same ? 'k' : row ? 's' : model.same ? 's' : 'q'}`;
    this.build(tokens, places, key);
    this.element.classList.toggle('hm-resting', !lit);
    this.describe(model, sheet, lit, name, places, at);
    this.drawn.chips.forEach((chip, k) => {
      const index = places[k];
      const own = Boolean(lit && model.same && index === lit.index);
      chip.classList.toggle('hm-self', own);
      chip.classList.toggle('hm-hidden', Boolean(lit && hidden(index)));
      const level = lit ? step(sheet, row ? lit.index : index, row ? index : lit.index) : 0;
      const word = /** @type {HTMLElement} */ (chip.firstChild);
      const lights = lit && !hidden(index);
      word.style.backgroundColor = lights ? palette.ramp[level] : '';
      word.style.color = lights ? palette.inkOn[level] : '';
      setText(this.drawn.values[k], lit ? (hidden(index) ? 'oculta' : number(sheet.values[at(index)])) : '');
    });
  }

  /**
   * @param {Model} model @param {Sheet} sheet @param {Lit | null} lit @param {string} name
   * @param {number[]} places @param {(k: number) => number} at
   */
  describe(model, sheet, lit, name, places, at) {
    if (!lit) {
      setText(this.lead, 'Señala una fila, tócala o llega con el tabulador: verás a quién mira ese token. '
        + 'Intro la fija y Esc la suelta; 1–9 cambian de cabeza y T abre la tabla.');
      setText(this.note, model.tokensK.length > WHOLE_UP_TO
        ? `Se muestran los primeros ${places.length} de ${model.tokensK.length} tokens.` : '');
      return;
    }
    const row = lit.axis === 'row';
    const who = spoken(row ? model.tokensQ : model.tokensK, lit.index);
    const total = row ? sheet.nK : sheet.nQ;
    let sum = 0;
    let open = 0;
    let rest = 0;
    const kept = new Set(places);
    for (let k = 0; k < total; k += 1) {
      if (sheet.mask?.[at(k)]) continue;
      open += 1;
      sum += sheet.values[at(k)];
      if (!kept.has(k)) rest += sheet.values[at(k)];
    }
    const Name = name[0].toUpperCase() + name.slice(1);
    if (row) setText(this.lead, open ? `${Name}: ${who} mira a…` : `${Name}: ${who}: sin claves (todas enmascaradas).`);
    else setText(this.lead, `${Name}: a ${who} lo miran… (en total ${number(sum)})`);
    setText(this.note, places.length < total
      ? `Las ${places.length} de más peso, de ${total}; las demás suman ${number(rest)}.` : '');
  }
}
