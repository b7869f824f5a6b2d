// The widget: one payload, one state, and the parts that show them.

import { control } from './control.js';
import { attribute, el, setText } from './dom.js';
import { Legend } from './legend.js';
import { fromHash, toHash } from './link.js';
import { MapPanel } from './map.js';
import { OwnSentence } from './own.js';
import { readPalette } from './palette.js';
import { rowMaxima } from './paint.js';
import { deltasOf, headValues, meanValues, readPayload } from './payload.js';
import { Sentence } from './sentence.js';
import { Similarity } from './similarity.js';
import { carryOver, initialState, litOf } from './state.js';
import { summarise } from './stats.js';
import { drawSvg } from './svg.js';
import { buildTable } from './table.js';
import { takeAway } from './take.js';
import { Tiles } from './tiles.js';
import { Toolbar } from './toolbar.js';
import { headName, headTitle, sentence } from './words.js';

/** @typedef {import('./paint.js').Sheet} Sheet */
/** @typedef {import('./state.js').State} State */
/**
 * @typedef {object} Options
 * @property {(text: string) => unknown} [onSentence] draws the reader's own sentence (it may return a
 *   promise); without it there is no text field
 * @property {string} [name] for links and files; else the node's `data-heatmap`
 */

const WIDE = 800; // px: from here on what is read stands beside the map
const ASIDE = 352;
const TABLE_ALWAYS_UP_TO = 1024; // numbers; a larger table is built when asked for

export class Heatmap {
  /** @param {HTMLElement} node @param {unknown} payload @param {Options} options */
  constructor(node, payload, options) {
    this.model = readPayload(payload);
    this.state = initialState();
    this.name = options.name ?? node.dataset.heatmap ?? 'mapa';
    /** @type {Map<string, Sheet>} */
    this.sheets = new Map();
    this.frame = 0;
    this.control = control({
      state: () => this.state, model: () => this.model, schedule: () => this.schedule(),
      change: (change) => this.change(change), press: (letter) => this.toolbar.press(letter),
    });
    const { point, pick } = this.control;
    const { onSentence } = options;
    this.tiles = new Tiles((head) => this.change({ head, mean: false }));
    this.toolbar = new Toolbar((change) => this.change(change));
    this.legend = new Legend();
    this.panels = [this.panel(), this.panel()];
    this.line = new Sentence(point, (lit) => pick(lit, this.panels[0]));
    this.own = onSentence ? new OwnSentence(onSentence) : null;
    this.status = el('p', { class: 'hm-live', role: 'status', 'aria-live': 'polite' });
    this.similarity = new Similarity(
      (a, b) => this.change({ view: 'map', mean: false, head: a, pinned: b === a ? null : b }),
      (text) => setText(this.status, text));
    this.title = el('p', { class: 'hm-title' });
    this.tableBox = el('div', { class: 'hm-table-box' });
    this.maps = el('div', { class: 'hm-maps' }, ...this.panels.map((panel) => panel.element), this.similarity.element);
    const take = takeAway({
      name: () => this.name, model: () => this.model, picture: (all) => this.picture(all),
      hash: () => toHash(this.name, this.state, this.own?.drawn ?? ''),
    });
    this.element = el('section', { class: 'hm', role: 'region' }, this.title, this.own?.element ?? null,
      this.tiles.element, this.toolbar.element,
      el('div', { class: 'hm-figure' }, this.maps, this.tableBox,
        el('div', { class: 'hm-reading' }, this.line.element, this.legend.element, this.legend.summary, take)),
      this.status);
    node.querySelector('.heatmap-static')?.remove();
    node.append(this.element);
    this.palette = readPalette(this.element);
    this.follow(false);
    this.listen();
    this.render();
  }

  panel() {
    const { point, pick, focus, key } = this.control;
    /** @type {MapPanel} */
    const panel = new MapPanel({
      point, focus, pick: (lit) => pick(lit, panel), key: (event, here) => key(event, here, panel),
    });
    return panel;
  }

  listen() {
    this.element.addEventListener('keydown', this.control.shortcut);
    let width = 0;
    new ResizeObserver(() => {
      if (this.element.clientWidth === width) return;
      width = this.element.clientWidth;
      this.layout();
    }).observe(this.element);
    const repaint = () => {
      this.palette = readPalette(this.element);
      this.layout();
      this.light();
    };
    for (const query of ['(prefers-color-scheme: dark)', 'print']) matchMedia(query).addEventListener('change', repaint);
    new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ['data-theme', 'class'] });
    window.addEventListener('scroll', () => this.paintTiles(false), { passive: true });
    window.addEventListener('beforeprint', repaint);
    document.fonts?.ready.then(repaint); // widths were measured with the fallback face
    window.addEventListener('hashchange', () => { if (this.follow(true)) this.render(); });
  }

  /** Take the place that the address names, if it is in this heatmap. @param {boolean} again @returns {boolean} */
  follow(again) {
    const link = fromHash(location.hash, this.name);
    if (!link) return false;
    this.sheets.clear();
    this.state = carryOver({ ...this.state, ...link.change }, this.model);
    // What a link asks of a sentence that is still to be drawn.
    if (link.sentence && this.own && link.sentence !== this.own.drawn) {
      this.own.offer(link.sentence);
      this.awaited = link.change;
    }
    this.element.scrollIntoView({ block: 'start', behavior: again ? 'smooth' : 'auto' });
    return true;
  }

  /** @param {unknown} payload @returns {void} */
  update(payload) {
    const model = readPayload(payload); // throws before anything changed
    this.model = model;
    this.sheets.clear();
    this.state = carryOver({ ...this.state, ...this.awaited }, model);
    this.awaited = undefined;
    this.render();
  }

  /** @param {Partial<State>} change */
  change(change) {
    if (change.layer !== undefined || change.scale !== undefined) this.sheets.clear();
    Object.assign(this.state, change);
    this.render();
  }

  /** What a head (or, with −1, the mean) shows; made once. @param {number} head @returns {Sheet} */
  sheet(head) {
    const { model, state } = this;
    let sheet = this.sheets.get(String(head));
    if (!sheet) {
      const values = head < 0 ? meanValues(model, state.layer) : headValues(model, state.layer, head);
      const { nQ, nK, mask } = model;
      sheet = { values, nQ, nK, mask, rowMax: state.scale === 'row' ? rowMaxima(values, nQ, nK) : null };
      this.sheets.set(String(head), sheet);
    }
    return sheet;
  }

  get shown() { return this.state.mean ? -1 : this.state.head; }

  /** The whole widget, after a choice or new data. */
  render() {
    const { model, state } = this;
    const title = model.title || 'pesos de cada cabeza';
    this.element.setAttribute('aria-label', `Mapa de atención: ${title}`);
    setText(this.title, title);
    this.tiles.setHeads(model);
    this.tiles.mark(state.head, state.pinned, state.off, state.mean);
    this.line.setTokens(model);
    this.fill(this.panels[0], this.shown);
    if (state.pinned !== null) this.fill(this.panels[1], state.pinned);
    const similar = state.view === 'similarity';
    this.panels[0].element.hidden = similar;
    this.panels[1].element.hidden = similar || state.pinned === null;
    this.similarity.element.hidden = !similar;
    this.element.dataset.view = state.view;
    this.element.classList.toggle('hm-is-off', state.off);
    const name = headName(model, state);
    this.legend.summarise(name, summarise(model, this.sheet(this.shown).values), model.same);
    const table = state.view === 'table' || model.nQ * model.nK <= TABLE_ALWAYS_UP_TO;
    this.tableBox.replaceChildren(...(table ? [buildTable(el, model, this.sheet(this.shown).values, name, this.deltas(this.shown))] : []));
    this.layout();
    this.light();
  }

  /** ‖Δoutput‖ of the head that is switched off. @param {number} head */
  deltas(head) {
    return this.state.off && head === this.state.head ? deltasOf(this.model, this.state.layer, head) : null;
  }

  /** @param {MapPanel} panel @param {number} head −1 is the mean */
  fill(panel, head) {
    const { model, state } = this;
    panel.setData(model, this.sheet(head), {
      name: headName(model, { layer: state.layer, head, mean: head < 0 }),
      caption: headTitle(model, head, this.deltas(head) !== null), deltas: this.deltas(head),
    });
  }

  layout() {
    const width = this.element.clientWidth;
    if (!width) return;
    const { model, state, palette } = this;
    this.tiles.layout(width, model);
    this.paintTiles(true);
    const similar = state.view === 'similarity';
    const pair = state.pinned !== null && !similar;
    const wide = width >= WIDE && !pair && state.view === 'map';
    this.element.classList.toggle('hm-wide', wide);
    const share = pair && width >= 640 ? Math.floor((width - 32) / 2) : wide ? width - ASIDE : width;
    for (const panel of this.panels.slice(0, pair ? 2 : 1)) panel.layout(share, palette, state.whole);
    if (similar) this.similarity.show(model, state.layer, Math.min(width, 720), palette);
    this.element.style.setProperty('--hm-width', `${width}px`);
    const table = state.view === 'table';
    attribute(this.tableBox, 'tabindex', table ? '0' : null);
    attribute(this.tableBox, 'role', table ? 'group' : null);
    attribute(this.tableBox, 'aria-label', table ? 'Tabla de pesos: se desplaza con las flechas' : null);
    this.toolbar.show(model, state, this.panels[0].scrolls);
    this.legend.show(model, state, this.panels[0].pooled, this.tiles.pooled(model));
  }

  /** @param {boolean} fresh */
  paintTiles(fresh) {
    this.tiles.paint((head) => this.sheet(head), this.palette, fresh);
  }

  /** Light what the lock, the pointer or the focus says; at most once a frame. */
  schedule() {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.light());
  }

  light() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { model, state } = this;
    const lit = litOf(state);
    const name = headName(model, state);
    const sheet = this.sheet(this.shown);
    for (const panel of this.panels) if (!panel.element.hidden) panel.light(lit, state.locked !== null);
    this.line.show(sheet, lit, name, this.palette);
    if (state.view === 'similarity' && !lit) return;
    setText(this.status, lit ? sentence(model, sheet.values, lit, name, this.deltas(this.shown)) : `${headTitle(model, this.shown, false)}.`);
  }

  /** @param {boolean} all heads, small, instead of those shown large */
  picture(all) {
    const { model, state } = this;
    const shown = state.pinned === null ? [this.shown] : [this.shown, state.pinned];
    const heads = all ? [...Array(model.numHeads).keys()] : shown;
    const maps = heads.map((head) => ({ caption: headTitle(model, head, this.deltas(head) !== null), sheet: this.sheet(head) }));
    return drawSvg(model, maps, litOf(state), this.palette, this.legend.scale.textContent ?? '');
  }
}
