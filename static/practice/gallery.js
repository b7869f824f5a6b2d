/**
 * The gallery of bugs: one at a time; after the prediction, two maps and the numbers. What the build
 * stored is shown at once, and Python computes it again in the page.
 *
 * @typedef {{title: string, row_labels: string[], col_labels: string[],
 *   values: {shape: number[], data: ArrayLike<number>}}} Matrix
 * @typedef {{text: string, maps: Matrix[]}} Comparison
 * @typedef {object} GalleryOptions
 * @property {(name: string) => boolean} seen - predicted in an earlier visit
 * @property {() => boolean} ready - Python is there
 * @property {(section: HTMLElement, again: boolean) => Promise<Comparison>} compute - throws in Spanish
 */
import { button, element } from '../shared/dom.js';
import { spanish } from '../shared/numbers.js';

export class Gallery {
  /** @type {HTMLInputElement[]} */
  #switches = [];

  /**
   * @param {HTMLElement[]} sections - the `<section class="bug">`s, neighbours in the page
   * @param {GalleryOptions} options
   */
  constructor(sections, options) {
    this.sections = sections;
    this.options = options;
    const box = element('div', 'gallery');
    sections[0].before(box);
    box.append(this.#picker(), ...sections);
    for (const section of sections) this.#mount(section);
    this.#choose(this.#linked() ?? sections[0]);
    addEventListener('hashchange', () => {
      const section = this.#linked();
      if (section) this.#choose(section);
    });
  }

  /** The reader has predicted, or takes it back. @param {string} name @param {boolean} answered */
  answered(name, answered) {
    const section = this.sections.find((one) => one.dataset.bug === name);
    if (!section) return;
    this.#reveal(section, answered);
    if (answered && this.options.ready()) this.#compute(section, false);
  }

  /** Mark the bugs that were predicted. */
  update() {
    this.sections.forEach((section, i) => {
      const seen = this.options.seen(section.dataset.bug ?? '');
      find(/** @type {HTMLElement} */ (this.#switches[i].parentElement), '.gallery-seen').hidden = !seen;
    });
  }

  #picker() {
    const group = element('fieldset', 'gallery-picker');
    group.append(element('legend', '', 'Elige un error'));
    for (const section of this.sections) {
      const label = element('label');
      const input = element('input');
      input.type = 'radio';
      input.name = 'error-elegido';
      input.addEventListener('change', () => this.#choose(section));
      this.#switches.push(input);
      const seen = element('span', 'gallery-seen', ' ✓');
      seen.setAttribute('role', 'img');
      seen.setAttribute('aria-label', '(visto)');
      seen.hidden = true;
      label.append(input, find(section, 'h3').textContent ?? '', seen);
      group.append(label);
    }
    return group;
  }

  /** @param {HTMLElement} section */
  #mount(section) {
    const outcome = find(section, '.bug-outcome');
    const again = button('Calcularlo ahora con Python', () => {
      if (again.getAttribute('aria-disabled') !== 'true') this.#compute(section, true);
    });
    find(section, '.bug-source').setAttribute('role', 'status');
    outcome.append(again);
    this.#draw(section, JSON.parse(find(section, '.bug-stored').textContent ?? ''));
    this.#reveal(section, this.options.seen(section.dataset.bug ?? ''));
  }

  /** @param {HTMLElement} chosen */
  #choose(chosen) {
    this.sections.forEach((section, i) => {
      section.hidden = section !== chosen;
      this.#switches[i].checked = section === chosen;
    });
  }

  #linked() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    return this.sections.find((section) => target && section.contains(target));
  }

  /** @param {HTMLElement} section @param {boolean} shown */
  #reveal(section, shown) {
    const outcome = /** @type {HTMLDetailsElement} */ (find(section, '.bug-outcome'));
    outcome.hidden = !shown;
    outcome.open = shown;
  }

  /** @param {HTMLElement} section @param {boolean} again - run the cell even if it has run */
  async #compute(section, again) {
    const source = find(section, '.bug-source');
    const trigger = find(section, '.bug-outcome button');
    section.dataset.state = 'running';
    trigger.setAttribute('aria-disabled', 'true');
    source.textContent = 'Python lo está calculando…';
    try {
      this.#draw(section, await this.options.compute(section, again));
      source.textContent = 'Calculado ahora mismo, con el código de la celda.';
      section.dataset.state = 'done';
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      source.textContent = `No se ha podido calcular: ${message} Lo que ves es lo último que salió bien.`;
      section.dataset.state = 'failed';
    }
    trigger.textContent = 'Calcularlo otra vez';
    trigger.removeAttribute('aria-disabled');
  }

  /** @param {HTMLElement} section @param {Comparison} comparison */
  #draw(section, { text, maps }) {
    find(section, '.bug-numbers').textContent = text;
    const place = find(section, '.bug-maps');
    const top = Math.max(1, ...maps.flatMap(({ values }) => Array.from(values.data)));
    place.replaceChildren(...maps.map((map) => mapFigure(map, top)));
    place.hidden = maps.length === 0;
  }
}

/**
 * A map as a table of shaded numbers.
 * @param {Matrix} map
 * @param {number} top - the value of the darkest shade
 */
function mapFigure({ title, row_labels, col_labels, values }, top) {
  const figure = element('figure', 'bug-map');
  const table = element('table');
  const head = element('tr');
  head.append(element('td'), ...col_labels.map((text) => header(text, 'col')));
  const rows = row_labels.map((text, i) => {
    const row = element('tr');
    row.append(header(text, 'row'));
    for (let j = 0; j < col_labels.length; j += 1) {
      const value = values.data[i * col_labels.length + j];
      const cell = element('td', value < 0.005 ? 'is-zero' : '', short(value));
      cell.style.setProperty('--weight', String(value / top));
      row.append(cell);
    }
    return row;
  });
  const caption = element('caption', '', title);
  table.append(caption, head, ...rows);
  figure.append(table);
  return figure;
}

/** @param {number} value */
const short = (value) => (value < 0.005 ? '0' : spanish(value, 2));

/** @param {string} text @param {'col'|'row'} scope */
function header(text, scope) {
  const made = element('th');
  made.scope = scope;
  made.append(element('span', '', text));
  return made;
}

/** @param {ParentNode} node @param {string} selector */
const find = (node, selector) => /** @type {HTMLElement} */ (node.querySelector(selector));
