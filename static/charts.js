/**
 * Draw what `show_lines`, `show_matrix` and `show_progress` laid out: marks into SVG, numbers into
 * a table, a part of a whole into a bar.
 */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {object} Drawing
 * @property {number} width
 * @property {number} height
 * @property {string} label - the chart in words
 * @property {[string, Record<string, string|number>, string|null][]} marks
 * @property {{head: string[], rows: string[][]}} table
 */

/**
 * @param {{title: string, drawing: Drawing}} payload
 * @returns {HTMLElement}
 */
export function chart({ title, drawing }) {
  const figure = document.createElement('figure');
  figure.className = 'chart';
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${drawing.width} ${drawing.height}`);
  svg.setAttribute('width', String(drawing.width));
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', drawing.label);
  for (const [tag, attributes, text] of drawing.marks) {
    const mark = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) mark.setAttribute(name, String(value));
    if (text !== null && text !== undefined) mark.textContent = text;
    svg.append(mark);
  }
  if (title) add(figure, 'figcaption', title);
  const scroll = add(figure, 'div');
  scroll.className = 'chart-scroll';
  scroll.tabIndex = 0;
  scroll.append(svg);
  figure.append(numbers(drawing.table));
  return figure;
}

/**
 * A bar, as `show_progress` laid it out.
 * @param {{title: string, done: number, total: number, said: string}} payload
 * @returns {HTMLElement}
 */
export function progressBar({ title, done, total, said }) {
  const line = document.createElement('p');
  line.className = 'progress-bar';
  const bar = /** @type {HTMLProgressElement} */ (add(line, 'progress'));
  bar.max = total;
  bar.value = done;
  bar.setAttribute('aria-label', title || 'progreso');
  line.append(' ');
  add(line, 'span', said);
  return line;
}

/** @param {Drawing['table']} table */
function numbers({ head, rows }) {
  const details = document.createElement('details');
  add(details, 'summary', 'Ver los números');
  const scroll = add(details, 'div');
  scroll.className = 'table-scroll';
  scroll.tabIndex = 0;
  const table = add(scroll, 'table');
  const first = add(add(table, 'thead'), 'tr');
  for (const text of head) add(first, 'th', text).setAttribute('scope', 'col');
  const body = add(table, 'tbody');
  for (const row of rows) {
    const line = add(body, 'tr');
    row.forEach((text, i) => add(line, i ? 'td' : 'th', text));
  }
  return details;
}

/** @param {Element} parent @param {string} tag @param {string} [text] */
function add(parent, tag, text) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}
