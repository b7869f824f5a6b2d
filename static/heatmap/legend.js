// What the colours mean, and the shown head in a few numbers.

import { el, setText } from './dom.js';
import { LABEL_FROM } from './stats.js';
import { number } from './words.js';

/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./state.js').State} State */
/** @typedef {import('./stats.js').Summary} Summary */

export class Legend {
  constructor() {
    this.scale = el('span', { class: 'hm-scale-name' });
    this.masked = el('span', { class: 'hm-key' }, el('span', { class: 'hm-hatch' }), 'enmascarada');
    this.pooled = el('span', { class: 'hm-key' });
    this.element = el('p', { class: 'hm-legend' },
      el('span', { class: 'hm-key' }, el('span', { class: 'hm-end' }, '0'), el('span', { class: 'hm-ramp' }),
        el('span', { class: 'hm-end' }, '1'), this.scale), this.masked, this.pooled);
    this.summary = el('p', { class: 'hm-summary' });
  }

  /** @param {Model} model @param {State} state @param {boolean} pooled several squares a pixel */
  show(model, state, pooled) {
    setText(this.scale, state.scale === 'row'
      ? 'escala por fila: 1 = el máximo de cada fila' : 'escala absoluta: peso de 0 a 1');
    this.masked.hidden = !model.mask?.some((hidden) => hidden === 1);
    setText(this.pooled, pooled ? 'cada píxel muestra el mayor de los pesos que caen en él' : '');
  }

  /** @param {string} name @param {Summary} summary */
  summarise(name, summary) {
    const label = summary.label
      ? ` · ${summary.label}` : ` · sin etiqueta: ninguna llega a ${number(LABEL_FROM)}`;
    setText(this.summary, `${name[0].toUpperCase()}${name.slice(1)}: `
      + `entropía ${number(summary.entropy)} de ${number(summary.mostEntropy)} bits · `
      + `desplazamiento medio ${number(summary.offset)} · al token anterior ${number(summary.previous)} · `
      + `al primero ${number(summary.first)} · a sí mismo ${number(summary.self)}${label}`);
  }
}
