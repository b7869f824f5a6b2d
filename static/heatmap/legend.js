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
    this.off = el('span', { class: 'hm-key' });
    this.element = el('p', { class: 'hm-legend' },
      el('span', { class: 'hm-key' }, el('span', { class: 'hm-end' }, '0'), el('span', { class: 'hm-ramp' }),
        el('span', { class: 'hm-end' }, '1'), this.scale), this.masked, this.pooled, this.off);
    this.summary = el('dl', { class: 'hm-summary' });
  }

  /**
   * @param {Model} model @param {State} state @param {boolean} pooled several squares of the map a pixel
   * @param {boolean} pooledTiles the same in the small maps
   */
  show(model, state, pooled, pooledTiles) {
    setText(this.scale, state.view === 'similarity' ? 'atención que comparten, de 0 a 1' : state.scale === 'row'
      ? 'escala por fila: 1 = el máximo de cada fila' : 'escala absoluta: peso de 0 a 1');
    setText(this.off, state.off
      ? `‖Δsalida‖: norma de lo que cambia la salida de cada token al apagar la cabeza ${state.head + 1}` : '');
    this.masked.hidden = !model.mask?.some((hidden) => hidden === 1);
    setText(this.pooled, pooled || pooledTiles
      ? `${pooled ? 'cada píxel' : 'en las miniaturas, cada píxel'} muestra el mayor de los pesos que caen en él` : '');
  }

  /** @param {string} name @param {Summary} summary @param {boolean} same queries and keys are one sequence */
  summarise(name, summary, same) {
    const label = summary.label ?? 'ninguna llega';
    /** @type {[string, string][]} */
    const lines = [
      ['entropía', `${number(summary.entropy)} de ${number(summary.mostEntropy)} bits`],
      // Distances mean something only inside one sequence.
      ...(same ? /** @type {[string, string][]} */ ([
        ['desplazamiento medio', `${number(summary.offset)} tokens`],
        ['al token anterior', number(summary.previous)],
        ['a sí mismo (diagonal)', number(summary.self)],
      ]) : []),
      ['al primer token', number(summary.first)],
      [`etiqueta (desde ${number(LABEL_FROM)})`, label],
    ];
    this.summary.setAttribute('aria-label', `Resumen: ${name}`);
    this.summary.replaceChildren(...lines.map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value))));
  }
}
