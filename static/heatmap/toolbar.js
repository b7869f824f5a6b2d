// The row of controls: layer, mean, pin, switch off, scale, views.

import { attribute, el, setText } from './dom.js';

/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./state.js').State} State */

export class Toolbar {
  /** @param {(change: Partial<State>) => void} change */
  constructor(change) {
    /** @type {State | null} */
    this.state = null;
    const toggle = (/** @type {string} */ text, /** @type {string} */ title, /** @type {(s: State) => Partial<State>} */ next) => {
      const button = el('button', { type: 'button', class: 'hm-button', 'aria-pressed': 'false', title }, text);
      button.addEventListener('click', () => { if (this.state) change(next(this.state)); });
      return button;
    };
    this.select = el('select', { class: 'hm-select' });
    this.select.addEventListener('change', () => change({ layer: Number(this.select.value) }));
    this.layer = el('label', { class: 'hm-layer' }, 'Capa ', this.select);
    this.mean = toggle('Media', 'La media de las cabezas: ninguna cabeza mira así (tecla M)',
      (s) => ({ mean: !s.mean, off: false }));
    this.pin = toggle('Comparar', 'Deja esta cabeza al lado y elige otra (tecla C)',
      (s) => ({ pinned: s.pinned === null ? s.head : null }));
    this.off = toggle('Apagar', 'Quita esta cabeza: cuánto cambia la salida de cada token (tecla A)',
      (s) => ({ off: !s.off, mean: false }));
    this.scale = toggle('Escala por fila', 'El color se mide contra el máximo de cada fila (tecla E)',
      (s) => ({ scale: s.scale === 'row' ? 'absolute' : 'row' }));
    this.whole = toggle('Mapa entero', 'Todo el mapa en una pantalla',
      (s) => ({ whole: !s.whole }));
    this.similar = toggle('Parecido', 'Cuánto se parecen las cabezas entre sí (tecla P)',
      (s) => ({ view: s.view === 'similarity' ? 'map' : 'similarity' }));
    this.table = toggle('Tabla', 'Los mismos números en una tabla (tecla T)',
      (s) => ({ view: s.view === 'table' ? 'map' : 'table' }));
    this.element = el('div', { class: 'hm-toolbar' }, this.layer, this.mean, this.pin, this.off,
      this.scale, this.whole, this.similar, this.table);
    this.keys = /** @type {Record<string, HTMLButtonElement>} */ ({
      m: this.mean, c: this.pin, a: this.off, e: this.scale, p: this.similar, t: this.table,
    });
  }

  /** Press the control of a letter. @param {string} letter @returns {boolean} was there one */
  press(letter) {
    const button = this.keys[letter.toLowerCase()];
    if (!button || button.hidden) return false;
    button.click();
    return true;
  }

  /** @param {Model} model @param {State} state @param {boolean} scrolls the map is larger than its window */
  show(model, state, scrolls) {
    this.state = state;
    const { layers } = model;
    this.layer.hidden = !layers;
    if (layers && this.select.options.length !== layers.length) {
      this.select.replaceChildren(...layers.map((name, k) => el('option', { value: k }, name)));
    }
    this.select.value = String(state.layer);
    const many = model.numHeads > 1;
    this.mean.hidden = this.pin.hidden = this.similar.hidden = !many;
    this.off.hidden = !model.headDeltas;
    this.whole.hidden = !(scrolls || state.whole);
    const press = (/** @type {Element} */ button, /** @type {boolean} */ on) =>
      attribute(button, 'aria-pressed', String(on));
    press(this.mean, state.mean);
    press(this.pin, state.pinned !== null);
    press(this.off, state.off);
    press(this.scale, state.scale === 'row');
    press(this.whole, state.whole);
    press(this.similar, state.view === 'similarity');
    press(this.table, state.view === 'table');
    setText(this.pin, state.pinned === null ? 'Comparar' : `Quitar cabeza ${state.pinned + 1}`);
    setText(this.off, state.off ? 'Encender' : 'Apagar');
  }
}
