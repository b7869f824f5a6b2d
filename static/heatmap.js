// The attention heatmap: mounts on a node, reads a payload, keeps what the reader chose.

import { el, setText } from './heatmap/dom.js';
import { walk } from './heatmap/keys.js';
import { Legend } from './heatmap/legend.js';
import { MapPanel } from './heatmap/map.js';
import { readPalette } from './heatmap/palette.js';
import { rowMaxima } from './heatmap/paint.js';
import { deltasOf, headValues, meanValues, readPayload } from './heatmap/payload.js';
import { Sentence } from './heatmap/sentence.js';
import { carryOver, initialState, litOf, sameLine } from './heatmap/state.js';
import { summarise } from './heatmap/stats.js';
import { buildTable } from './heatmap/table.js';
import { Tiles } from './heatmap/tiles.js';
import { Toolbar } from './heatmap/toolbar.js';
import { headName, sentence } from './heatmap/words.js';

/** @typedef {import('./heatmap/payload.js').Model} Model */
/** @typedef {import('./heatmap/paint.js').Sheet} Sheet */
/** @typedef {import('./heatmap/state.js').Lit} Lit */
/** @typedef {import('./heatmap/state.js').State} State */
/**
 * @typedef {object} Options
 * @property {(text: string) => unknown} [onSentence] draws the reader's own sentence; without it
 *   there is no text field
 * @typedef {object} Handle
 * @property {(payload: unknown) => void} update redraw in place; throws, and keeps the last picture
 * @property {HTMLElement} element the region
 */

class Heatmap {
  /** @param {HTMLElement} node @param {unknown} payload @param {Options} options */
  constructor(node, payload, options) {
    this.options = options;
    this.model = readPayload(payload);
    this.state = initialState();
    /** @type {Map<string, Sheet>} */
    this.sheets = new Map();
    this.frame = 0;
    this.tiles = new Tiles((head) => this.change({ head, mean: false }));
    this.toolbar = new Toolbar((change) => this.change(change));
    this.legend = new Legend();
    this.panels = [this.panel(), this.panel()];
    this.line = new Sentence((lit) => this.point(lit), (lit) => this.pick(lit, this.panels[0]));
    this.title = el('p', { class: 'hm-title' });
    this.tableBox = el('div', { class: 'hm-table-box' });
    this.maps = el('div', { class: 'hm-maps' }, ...this.panels.map((panel) => panel.element));
    this.status = el('p', { class: 'hm-live', role: 'status', 'aria-live': 'polite' });
    this.element = el('section', { class: 'hm', role: 'region', tabindex: '-1' }, this.title,
      this.tiles.element, this.toolbar.element, this.maps, this.line.element, this.tableBox,
      this.legend.element, this.legend.summary, this.status);
    node.querySelector('.heatmap-static')?.remove();
    node.append(this.element);
    this.palette = readPalette(this.element);
    this.listen();
    this.render();
  }

  panel() {
    /** @type {MapPanel} */
    const panel = new MapPanel({
      point: (lit) => this.point(lit),
      pick: (lit) => this.pick(lit, panel),
      focus: (lit) => this.focus(lit),
      key: (event) => this.key(event, panel),
    });
    return panel;
  }

  listen() {
    this.element.addEventListener('keydown', (event) => this.shortcut(event));
    let width = 0;
    new ResizeObserver(() => {
      if (this.element.clientWidth === width) return;
      width = this.element.clientWidth;
      this.layout();
    }).observe(this.element);
    const repaint = () => {
      this.palette = readPalette(this.element);
      this.layout();
    };
    for (const query of ['(prefers-color-scheme: dark)', 'print', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', repaint);
    }
    new MutationObserver(repaint)
      .observe(document.documentElement, { attributeFilter: ['data-theme', 'class'] });
    window.addEventListener('scroll', () => this.paintTiles(false), { passive: true });
  }

  /** @param {unknown} payload @returns {void} */
  update(payload) {
    const model = readPayload(payload); // throws before anything changed
    this.model = model;
    this.sheets.clear();
    this.state = carryOver(this.state, model);
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
    const key = `${state.layer}:${head}`;
    let sheet = this.sheets.get(key);
    if (!sheet) {
      const values = head < 0 ? meanValues(model, state.layer) : headValues(model, state.layer, head);
      const { nQ, nK, mask } = model;
      sheet = { values, nQ, nK, mask, rowMax: state.scale === 'row' ? rowMaxima(values, nQ, nK) : null };
      this.sheets.set(key, sheet);
    }
    return sheet;
  }

  get main() { return this.sheet(this.state.mean ? -1 : this.state.head); }

  /** The whole widget, after a choice or new data. */
  render() {
    const { model, state } = this;
    const title = model.title || 'pesos por cabeza';
    this.element.setAttribute('aria-label', `Mapa de atención: ${title}`);
    setText(this.title, title);
    this.tiles.setHeads(model);
    this.tiles.mark(state.head, state.pinned, state.off, state.mean);
    this.line.setTokens(model);
    this.fill(this.panels[0], state.mean ? -1 : state.head);
    this.panels[1].element.hidden = state.pinned === null;
    if (state.pinned !== null) this.fill(this.panels[1], state.pinned);
    this.element.dataset.view = state.view;
    this.element.classList.toggle('hm-is-off', state.off);
    const name = headName(model, state);
    this.legend.summarise(name, summarise(model, this.main.values));
    this.table(name);
    this.layout();
    this.light();
  }

  /** @param {MapPanel} panel @param {number} head −1 is the mean */
  fill(panel, head) {
    const { model, state } = this;
    const name = headName(model, { layer: state.layer, head, mean: head < 0 });
    const label = model.headLabels[head] ?? '';
    const off = state.off && head === state.head;
    const caption = head < 0 ? `Media de las ${model.numHeads} cabezas (ninguna mira así)`
      : `Cabeza ${head + 1}${label && !/^cabeza\s*\d+$/i.test(label) ? ` · ${label}` : ''}${off ? ' · apagada' : ''}`;
    panel.setData(model, this.sheet(head), { name, caption, deltas: off ? deltasOf(model, state.layer, head) : null });
  }

  /** @param {string} name */
  table(name) {
    const { model, state } = this;
    const small = model.nQ * model.nK <= 1024;
    if (state.view !== 'table' && !small) this.tableBox.replaceChildren();
    else {
      const deltas = state.off ? deltasOf(model, state.layer, state.head) : null;
      this.tableBox.replaceChildren(buildTable(model, this.main.values, name, deltas));
    }
  }

  layout() {
    const width = this.element.clientWidth;
    if (!width) return;
    const { model, state, palette } = this;
    this.tiles.layout(width, model);
    this.paintTiles(true);
    const pair = state.pinned !== null;
    const share = pair && width >= 720 ? Math.floor((width - 32) / 2) : width;
    for (const panel of this.panels.slice(0, pair ? 2 : 1)) panel.layout(share, palette, state.whole);
    const [first] = this.panels;
    this.toolbar.show(model, state, first.element.classList.contains('hm-scrolls'));
    this.legend.show(model, state, first.cell < 3);
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
    for (const panel of this.panels) {
      if (!panel.element.hidden) panel.light(lit, state.locked !== null);
    }
    this.line.show(this.main, lit, name, this.palette);
    const label = state.mean ? '' : model.headLabels[state.head];
    setText(this.status, lit ? sentence(model, this.main.values, lit, name) : `${name}${label ? `: ${label}` : ''}.`);
  }

  /** @param {Lit | null} lit */
  point(lit) {
    this.state.hover = lit;
    this.schedule();
  }

  /** @param {Lit | null} lit */
  focus(lit) {
    const { state } = this;
    if (!(lit && sameLine(state.focus, lit))) state.focus = lit;
    this.schedule();
  }

  /** Lock a row or column, or free it when it is the locked one. @param {Lit} lit @param {MapPanel} panel */
  pick(lit, panel) {
    const { state } = this;
    const free = sameLine(state.locked, lit);
    panel.focus(lit);
    state.locked = free ? null : lit;
    state.focus = free ? null : lit;
    this.schedule();
  }

  /** @param {KeyboardEvent} event @param {MapPanel} panel */
  key(event, panel) {
    if (event.altKey || event.metaKey) return;
    const here = panel.labelOf(event.target);
    if (!here) return;
    const from = sameLine(this.state.focus, here) && this.state.focus ? this.state.focus : here;
    const to = walk(from, event.key, event.ctrlKey, this.model);
    if (!to) return;
    event.preventDefault();
    this.state.locked = null;
    this.state.hover = null;
    panel.focus(to);
    panel.reveal(to);
    this.state.focus = to;
    this.schedule();
  }

  /** Esc frees; 1–9 choose a head; letters press a control. @param {KeyboardEvent} event */
  shortcut(event) {
    const { target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') {
      Object.assign(this.state, { locked: null, hover: null, focus: null });
      this.schedule();
    } else if (target instanceof HTMLSelectElement
      || (target instanceof HTMLInputElement && target.type !== 'radio')) return;
    else if (/^[1-9]$/.test(event.key) && Number(event.key) <= this.model.numHeads) {
      this.change({ head: Number(event.key) - 1, mean: false });
    } else if (event.key.length === 1 && this.toolbar.press(event.key)) event.preventDefault();
  }
}

/**
 * Mount a heatmap.
 * @param {HTMLElement} node `<div class="heatmap" data-heatmap="name">`, empty or with the static figure
 * @param {unknown} [payload] what `show_heads` sent; null takes the JSON baked into the node
 * @param {Options} [options]
 * @returns {Handle}
 * @throws {Error} in Spanish, when the payload is not what it must be
 */
export function mountHeatmap(node, payload = null, options = {}) {
  const baked = node.querySelector('script.heatmap-payload')?.textContent;
  const heatmap = new Heatmap(node, payload ?? (baked ? JSON.parse(baked) : null), options);
  return { update: (next) => heatmap.update(next), element: heatmap.element };
}
