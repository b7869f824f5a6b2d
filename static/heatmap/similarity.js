// How alike the heads are: a map of heads by heads, worked out in slices so that nothing freezes.

import { el, setText } from './dom.js';
import { MapPanel } from './map.js';
import { hasNoKeys, headValues } from './payload.js';
import { overlap } from './stats.js';
import { number } from './words.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./state.js').Lit} Lit */

const SLICE = 6; // ms of work between two breaths

export class Similarity {
  /** @param {(a: number, b: number) => void} compare a pair was picked @param {(text: string) => void} say */
  constructor(compare, say) {
    this.note = el('p', { class: 'hm-note' });
    this.compare = compare;
    this.say = say;
    this.panel = new MapPanel({
      point: (lit) => this.light(lit),
      pick: (lit) => this.pick(lit),
      focus: (lit) => this.light(lit),
      key: (event, here) => this.key(event, here),
    }, { q: 'cabeza', k: 'cabeza' });
    this.element = el('div', { class: 'hm-similarity', hidden: true }, this.panel.element, this.note);
    /** @type {Model | null} */ this.source = null;
    this.layer = -1;
    this.job = 0;
    /** @type {Float64Array} */ this.values = new Float64Array(0);
  }

  /**
   * Show the overlaps of a layer's heads.
   * @param {Model} model @param {number} layer @param {number} width CSS px @param {Palette} palette
   */
  async show(model, layer, width, palette) {
    const { numHeads: n } = model;
    if (this.source !== model || this.layer !== layer) {
      this.source = model;
      this.layer = layer;
      this.values = new Float64Array(n * n);
      const names = Array.from({ length: n }, (_, h) => String(h + 1));
      /** @type {Model} */
      this.heads = { ...model, tokensQ: names, tokensK: names, nQ: n, nK: n, mask: null, same: true };
      this.sheet = { values: this.values, nQ: n, nK: n, mask: null, rowMax: null };
      this.panel.setData(this.heads, this.sheet, {
        name: 'el parecido entre cabezas', deltas: null,
        caption: 'Parecido entre cabezas: qué parte de su atención comparten (1 = mapas iguales)',
      });
      setText(this.note, 'Calculando…');
      this.panel.layout(width, palette, false);
      if (!(await this.work(model, layer))) return;
    }
    this.panel.layout(width, palette, false);
    setText(this.note, this.closest(n));
  }

  /** @param {Model} model @param {number} layer @returns {Promise<boolean>} false when newer work took over */
  async work(model, layer) {
    this.job += 1;
    const { job } = this;
    const { numHeads: n, nQ } = model;
    let rows = 0;
    for (let i = 0; i < nQ; i += 1) if (!hasNoKeys(model, i)) rows += 1;
    let pause = performance.now() + SLICE;
    for (let a = 0; a < n; a += 1) {
      for (let b = a; b < n; b += 1) {
        const value = overlap(headValues(model, layer, a), headValues(model, layer, b), rows);
        this.values[a * n + b] = this.values[b * n + a] = value;
        if (performance.now() > pause) {
          await new Promise((resolve) => { setTimeout(resolve); });
          if (job !== this.job) return false;
          pause = performance.now() + SLICE;
        }
      }
    }
    return true;
  }

  /** @param {number} n @returns {string} */
  closest(n) {
    let best = [0, 1, -1];
    for (let a = 0; a < n; a += 1) {
      for (let b = a + 1; b < n; b += 1) if (this.values[a * n + b] > best[2]) best = [a, b, this.values[a * n + b]];
    }
    return `${this.pair(best[0], best[1])}: las más parecidas. Elige una casilla para verlas una al lado de la otra.`;
  }

  /** @param {number} a @param {number} b */
  pair(a, b) {
    const share = number(this.values[a * (this.source?.numHeads ?? 0) + b]);
    return `Las cabezas ${a + 1} y ${b + 1} comparten ${share} de su atención`;
  }

  /** @param {Lit | null} lit */
  light(lit) {
    this.panel.light(lit, false);
    if (!lit || lit.cell === null) return;
    const text = `${this.pair(lit.index, lit.cell)}.`;
    setText(this.note, text);
    this.say(text);
  }

  /** @param {Lit} lit */
  pick(lit) {
    const other = lit.cell ?? this.panel.lit?.cell ?? null;
    if (other !== null) this.compare(lit.index, other);
  }

  /** @param {KeyboardEvent} event @param {Lit} here */
  key(event, here) {
    const n = this.source?.numHeads ?? 0;
    const lit = this.panel.lit?.index === here.index ? this.panel.lit : here;
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    });
    const [down, right] = steps[event.key] ?? [0, 0];
    if (!down && !right) return;
    event.preventDefault();
    const clamp = (/** @type {number} */ k) => Math.max(0, Math.min(n - 1, k));
    /** @type {Lit} */
    const to = { axis: 'row', index: clamp(lit.index + down), cell: lit.cell === null ? clamp(right) : clamp(lit.cell + right) };
    this.panel.focus(to);
    this.light(to);
  }
}
