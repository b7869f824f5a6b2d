/** Curves with axes, each labelled at its end and told apart by dashes too. */

import { short, tenth, ticks } from './numbers.js';

/** @typedef {import('./figure.js').Drawing} Drawing */
/** @typedef {import('./figure.js').Mark} Mark */
/** @typedef {{label: string, x: number[], y: number[], low?: number[], high?: number[]}} Line */
/** @typedef {(x: number, y: number) => [number, number]} Place from values to px */
/** @typedef {{title: string, x_label: string, y_label: string, series: Line[]}} Lines as `show_lines` records them */

const [WIDTH, HEIGHT] = [600, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 120, 18, 46];
const DASHES = ['', '7 4', '2 3', '9 3 2 3', '4 2', '1 3']; // colour is never the only signal
const DOTS_UP_TO = 12; // points of a curve
const LABEL_GAP = 16; // px between two curves' names
const ROWS_ABOUT = 50; // of the table

/** @param {Lines} payload @returns {Drawing} */
export function linesDrawing({ x_label: xLabel, y_label: yLabel, series }) {
  const xTicks = ticksOf(series.flatMap((line) => line.x));
  const yTicks = ticksOf(series.flatMap((line) => [...line.y, ...(line.low ?? []), ...(line.high ?? [])]));
  const share = (/** @type {number} */ value, /** @type {number[]} */ marks) =>
    (value - marks[0]) / (marks[marks.length - 1] - marks[0]);
  /** @type {Place} */
  const at = (x, y) => [
    tenth(LEFT + share(x, xTicks) * (WIDTH - LEFT - RIGHT)),
    tenth(HEIGHT - BOTTOM - share(y, yTicks) * (HEIGHT - TOP - BOTTOM)),
  ];
  const marks = [
    ...axes(xTicks, yTicks, at),
    ...series.flatMap((line, number) => curve(number, line, at)),
    ...endLabels(series, at),
  ];
  if (xLabel) marks.push(['text', { class: 'axis-title', x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6 }, xLabel]);
  if (yLabel) marks.push(['text', { class: 'axis-title start', x: 4, y: 12 }, yLabel]);
  const said = series.filter(({ y }) => y.length)
    .map(({ label, y }) => `${label}: de ${short(y[0])} a ${short(y[y.length - 1])}`).join('; ');
  const head = [xLabel || 'x', ...series.map(({ label }) => label)];
  return { width: WIDTH, height: HEIGHT, said, marks, table: { head, rows: rows(series) } };
}

/** @param {number[]} values */
function ticksOf(values) {
  const [low, high] = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  return values.length ? ticks(low, high) : ticks(0, 0);
}

/** @param {number[]} xTicks @param {number[]} yTicks @param {Place} at @returns {Mark[]} */
function axes(xTicks, yTicks, at) {
  const across = yTicks.flatMap((y) => {
    const [[x1, py], [x2]] = [at(xTicks[0], y), at(xTicks[xTicks.length - 1], y)];
    return /** @type {Mark[]} */ ([
      ['line', { class: 'grid', x1, x2, y1: py, y2: py }, null],
      ['text', { class: 'tick end', x: x1 - 8, y: tenth(py + 4) }, short(y)],
    ]);
  });
  const below = xTicks.map((x) => {
    const [px, py] = at(x, yTicks[0]);
    return /** @type {Mark} */ (['text', { class: 'tick', x: px, y: tenth(py + 18) }, short(x)]);
  });
  return [...across, ...below];
}

/** @param {number} number @param {Line} line @param {Place} at @returns {Mark[]} */
function curve(number, { x, y, low, high }, at) {
  const style = `series-${number % 8}`;
  const points = x.map((value, i) => at(value, y[i]));
  /** @type {Mark[]} */
  const marks = [];
  if (low && high) {
    const over = x.map((value, i) => at(value, high[i]));
    const under = x.map((value, i) => at(value, low[i])).reverse();
    marks.push(['path', { class: `band ${style}`, d: `${path([...over, ...under])}Z` }, null]);
  }
  /** @type {Record<string, string>} */
  const line = { class: `curve ${style}`, d: path(points) };
  const dashes = DASHES[number % DASHES.length];
  if (dashes) line['stroke-dasharray'] = dashes;
  marks.push(['path', line, null]);
  if (points.length <= DOTS_UP_TO) {
    for (const [cx, cy] of points) marks.push(['circle', { class: `dot ${style}`, cx, cy, r: 3.2 }, null]);
  }
  return marks;
}

/** @param {[number, number][]} points */
const path = (points) => (points.length ? `M${points.map(([x, y]) => `${x} ${y}`).join('L')}` : '');

/** Names at the curves' ends, pushed apart where they would touch. @param {Line[]} series @param {Place} at @returns {Mark[]} */
function endLabels(series, at) {
  const ends = series.map((line, number) => ({ ...line, number })).filter((line) => line.x.length)
    .map(({ label, number, x, y }) => ({ label, number, end: at(x[x.length - 1], y[y.length - 1]) }))
    .sort((a, b) => a.end[1] - b.end[1] || a.number - b.number);
  let lowest = -Infinity;
  return ends.map(({ label, number, end: [x, y] }) => {
    lowest = Math.max(y, lowest + LABEL_GAP);
    const letters = [...label];
    const text = letters.length <= 18 ? label : `${letters.slice(0, 17).join('')}…`;
    return ['text', { class: `name series-${number % 8}`, x: tenth(x + 8), y: tenth(lowest + 4) }, text];
  });
}

/** A row for each x, or for about fifty and the last. @param {Line[]} series @returns {string[][]} */
function rows(series) {
  const xs = [...new Set(series.flatMap((line) => line.x))].sort((a, b) => a - b);
  const step = Math.max(1, Math.floor(xs.length / ROWS_ABOUT));
  const found = series.map((line) => new Map(line.x.map((x, i) => [x, line.y[i]])));
  return xs.filter((_, i) => i % step === 0 || i === xs.length - 1).map((x) => [
    short(x), ...found.map((line) => (line.has(x) ? short(/** @type {number} */ (line.get(x)), 4) : '')),
  ]);
}
