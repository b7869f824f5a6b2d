/**
 * All the heads of a real model: an overview of every layer and head, and the chosen one's map.
 * A sentence's maps are fetched when the reader asks for them, and only then.
 *
 * @typedef {object} Maps
 * @property {string} sentence
 * @property {string[]} tokens
 * @property {number[]} shape - (num_layers, num_heads, n, n)
 * @property {Uint8Array} levels - weights in 255ths
 *
 * @typedef {(node: HTMLElement, payload: any, options: object) =>
 *   {update: (payload: any) => void, select: (head: number) => void, element: HTMLElement}} MountHeatmap
 */
import { element } from '../shared/dom.js';

const FAILED = 'No se han podido descargar las cabezas. Comprueba la conexión y vuelve a intentarlo.';

export class ModelView {
  /** @type {Map<string, Promise<Maps>>} */
  #asked = new Map();
  /** @type {Maps|null} */
  #maps = null;
  /** @type {HTMLButtonElement[][]} */
  #buttons = [];
  /** @type {ReturnType<MountHeatmap>|null} */
  #map = null;

  /**
   * @param {HTMLElement} node - the `<section data-model-view>`
   * @param {{mountHeatmap: MountHeatmap}} tools
   */
  constructor(node, { mountHeatmap }) {
    this.node = node;
    this.mountHeatmap = mountHeatmap;
    const { names, layer, head } = JSON.parse(this.#part('.mv-options').textContent ?? '{}');
    /** @type {Record<string, string>} "7-0" → what the head does */
    this.names = names;
    this.layer = layer;
    this.head = head;
    this.open = /** @type {HTMLButtonElement} */ (this.#part('.mv-open'));
    this.sinks = /** @type {HTMLInputElement} */ (this.#part('.mv-sinks input'));
    this.open.hidden = false;
    this.open.addEventListener('click', () => this.#show());
    this.sinks.addEventListener('change', () => this.#paint());
    this.#part('.mv-sentences').addEventListener('change', () => this.#show());
    const repaint = () => this.#paint();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
    new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }

  /** @param {string} selector @returns {HTMLElement} */
  #part(selector) {
    return /** @type {HTMLElement} */ (this.node.querySelector(selector));
  }

  /** Fetch the chosen sentence, if need be, and show it. */
  async #show() {
    const { value } = /** @type {HTMLInputElement} */ (this.#part('.mv-sentences input:checked'));
    const message = this.#part('.mv-message');
    message.textContent = '';
    this.node.setAttribute('aria-busy', 'true');
    try {
      if (!this.#asked.has(value)) this.#asked.set(value, fetchMaps(value));
      const maps = await /** @type {Promise<Maps>} */ (this.#asked.get(value));
      const now = /** @type {HTMLInputElement} */ (this.#part('.mv-sentences input:checked'));
      if (now.value !== value) return; // another sentence has been asked for since
      this.#maps = maps;
      const first = !this.#buttons.length;
      if (first) this.#buildGrid(maps.shape[0], maps.shape[1]);
      this.#part('.mv-live').hidden = false;
      this.open.hidden = true;
      this.#paint();
      this.#choose(this.layer, this.head);
      if (first) this.#buttons[this.layer][this.head].focus();
    } catch (error) {
      this.#asked.delete(value);
      console.warn('model view:', error);
      message.textContent = FAILED;
    } finally {
      this.node.removeAttribute('aria-busy');
    }
  }

  /** @param {number} layers @param {number} heads */
  #buildGrid(layers, heads) {
    const table = element('table', 'mv-grid');
    table.setAttribute('aria-label', 'Todas las cabezas');
    const top = table.createTHead().insertRow();
    top.append(element('td'));
    for (let h = 0; h < heads; h += 1) top.append(header('col', String(h + 1), `cabeza ${h + 1}`));
    const body = table.createTBody();
    for (let l = 0; l < layers; l += 1) {
      const row = body.insertRow();
      row.append(header('row', String(l + 1), `capa ${l + 1}`));
      this.#buttons.push(Array.from({ length: heads }, (_, h) => this.#tile(row.insertCell(), l, h)));
    }
    table.addEventListener('keydown', (event) => this.#move(event));
    this.#part('.mv-grid-box').append(table);
  }

  /** @param {HTMLTableCellElement} cell @param {number} layer @param {number} head */
  #tile(cell, layer, head) {
    const button = element('button', 'mv-tile');
    button.type = 'button';
    button.tabIndex = -1;
    button.dataset.place = `${layer}-${head}`;
    button.setAttribute('aria-label', this.#nameOf(layer, head));
    button.title = this.#nameOf(layer, head);
    button.append(element('canvas'));
    button.addEventListener('click', () => this.#choose(layer, head));
    cell.append(button);
    return button;
  }

  /** @param {number} layer @param {number} head */
  #nameOf(layer, head) {
    const label = this.names[`${layer}-${head}`];
    return `capa ${layer + 1}, cabeza ${head + 1}${label ? `: ${label}` : ''}`;
  }

  /** Arrows move the focus over the tiles. @param {KeyboardEvent} event */
  #move(event) {
    const place = /** @type {HTMLElement} */ (event.target).dataset?.place;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!place || !step) return;
    event.preventDefault();
    const [layer, head] = place.split('-').map(Number);
    const next = this.#buttons[layer + step[0]]?.[head + step[1]];
    if (!next) return;
    this.#rove(next);
    next.focus();
  }

  /** One tile at a time is a stop of Tab. @param {HTMLButtonElement} tile */
  #rove(tile) {
    for (const button of this.#buttons.flat()) button.tabIndex = button === tile ? 0 : -1;
  }

  /** Show one head whole. @param {number} layer @param {number} head */
  #choose(layer, head) {
    const maps = /** @type {Maps} */ (this.#maps);
    this.layer = layer;
    this.head = head;
    for (const button of this.#buttons.flat()) button.setAttribute('aria-pressed', 'false');
    this.#buttons[layer][head].setAttribute('aria-pressed', 'true');
    this.#rove(this.#buttons[layer][head]);
    this.#part('.mv-chosen').textContent = `${this.#nameOf(layer, head)}.`.replace(/^c/, 'C');
    const [, heads, n] = maps.shape;
    const size = heads * n * n;
    const levels = maps.levels.subarray(layer * size, (layer + 1) * size);
    const payload = {
      tokens_q: maps.tokens,
      tokens_k: maps.tokens,
      attn_weights: { shape: [heads, n, n], data: Float64Array.from(levels, (level) => level / 255) },
      mask: null,
      head_labels: Array.from({ length: heads }, (_, h) => this.names[`${layer}-${h}`] ?? ''),
      title: `Capa ${layer + 1} · ${maps.sentence}`,
    };
    if (this.#map) this.#map.update(payload);
    else this.#map = this.#mountMap(payload);
    this.#map.select(head);
  }

  /** @param {object} payload */
  #mountMap(payload) {
    const place = element('div', 'heatmap');
    place.dataset.heatmap = `${this.node.id}-capa`;
    this.#part('.mv-map').append(place);
    const map = this.mountHeatmap(place, payload, {});
    // Choosing among the layer's heads there moves the mark here.
    map.element.addEventListener('change', (event) => {
      const input = event.target;
      if (!(input instanceof HTMLInputElement) || input.type !== 'radio') return;
      if (Number(input.value) !== this.head) this.#choose(this.layer, Number(input.value));
    });
    return map;
  }

  #paint() {
    if (!this.#maps) return;
    const { shape: [, heads, n], levels } = this.#maps;
    const [r, g, b] = inkOf(this.#part('.mv-grid'));
    this.#part('.mv-grid').classList.toggle('mv-covered', this.sinks.checked);
    this.#buttons.forEach((row, layer) => row.forEach((button, head) => {
      const canvas = /** @type {HTMLCanvasElement} */ (button.firstElementChild);
      canvas.width = canvas.height = n;
      const image = new ImageData(n, n);
      const start = (layer * heads + head) * n * n;
      for (let c = 0; c < n * n; c += 1) {
        const [i, j] = [Math.floor(c / n), c % n];
        const covered = this.sinks.checked && (i % (n - 1) === 0 || j % (n - 1) === 0);
        image.data.set([r, g, b, covered ? 0 : levels[start + c]], 4 * c);
      }
      canvas.getContext('2d')?.putImageData(image, 0, 0);
    }));
  }
}

/** @param {string} address @returns {Promise<Maps>} */
async function fetchMaps(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const { levels, ...maps } = await answer.json();
  return { ...maps, levels: Uint8Array.from(atob(levels), (letter) => letter.charCodeAt(0)) };
}

/** The ink of the theme, as numbers. @param {Element} node */
function inkOf(node) {
  return (getComputedStyle(node).color.match(/[\d.]+/g) ?? ['0', '0', '0']).slice(0, 3).map(Number);
}

/** @param {string} scope @param {string} text @param {string} label */
function header(scope, text, label) {
  const made = element('th', '', text);
  made.scope = scope;
  made.abbr = label;
  return made;
}
