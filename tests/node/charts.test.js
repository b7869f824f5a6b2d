/** Charts: round ticks, every number in the table, labels that keep apart. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { figure } from '../../static/charts/figure.js';
import { linesDrawing } from '../../static/charts/lines.js';
import { MAX_CELLS, matrixDrawing } from '../../static/charts/matrix.js';
import { short, ticks } from '../../static/charts/numbers.js';
import { el } from '../../static/heatmap/html.js';

/** @param {[string, number[], number[]][]} series */
const lines = (...series) => ({
  title: 't', x_label: 'paso', y_label: '', series: series.map(([label, x, y]) => ({ label, x, y })),
});
/** @param {number[][]} rows @param {string[]} [rowLabels] @param {string[]} [colLabels] */
const matrix = (rows, rowLabels = rows.map((_, i) => `${i}`), colLabels = rows[0].map((_, j) => `${j}`)) => ({
  title: '', row_labels: rowLabels, col_labels: colLabels,
  values: { shape: [rows.length, rows[0].length], data: rows.flat() },
});
/** @param {{marks: import('../../static/charts/figure.js').Mark[]}} drawing @param {string} style */
const styled = ({ marks }, style) =>
  marks.filter(([, attributes]) => String(attributes.class).split(' ').includes(style));

for (const [low, high, want] of [
  [0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [0, 500, [0, 100, 200, 300, 400, 500]],
  [-0.9, 2.1, [-1, 0, 1, 2, 3]],
  [3, 3, [3, 4]],
  [0, 0, [0, 0.2]],
  [0, 1e-14, [0, 2e-15, 4e-15, 6e-15, 8e-15, 1e-14]],
]) {
  test(`ticks are round and span the data: ${low} to ${high}`, () => {
    assert.deepEqual(ticks(/** @type {number} */ (low), /** @type {number} */ (high)), want);
  });
}

test('numbers are short, with a comma, a true minus, and exponents only where they must', () => {
  const said = [0, 0.25, -1.5, 12345, 999.7, 1234567, 2.5e8, 0.00012, 0.000012, 100 / 3].map((v) => short(v));
  assert.deepEqual(said, ['0', '0,25', '−1,5', '12345', '1000', '1234567', '2,5e+8', '0,00012', '1,2e−5', '33,3']);
  assert.equal(short(150, 9), '150');
});

test('lines stay inside the frame and differ by more than colour', () => {
  const drawing = linesDrawing(lines(['a', [0, 1, 2], [3, 1, 2]], ['b', [0, 2], [0, -4]]));
  const curves = styled(drawing, 'curve').map(([, attributes]) => attributes);
  assert.equal(curves.length, 2);
  assert.ok(!curves[0]['stroke-dasharray'] && curves[1]['stroke-dasharray']);
  const dots = styled(drawing, 'dot').map(([, { cx, cy }]) => [Number(cx), Number(cy)]);
  assert.equal(dots.length, 5);
  for (const [x, y] of dots) assert.ok(x >= 0 && x <= drawing.width && y >= 0 && y <= drawing.height);
  assert.deepEqual(drawing.table.head, ['paso', 'a', 'b']);
  assert.deepEqual(drawing.table.rows, [['0', '3', '0'], ['1', '1', ''], ['2', '2', '−4']]);
  assert.equal(drawing.said, 'a: de 3 a 2; b: de 0 a −4');
});

test('a band is drawn around its line', () => {
  const drawing = linesDrawing({ title: '', x_label: '', y_label: '', series: [
    { label: 'a', x: [0, 1], y: [1, 1], low: [0, 0], high: [2, 2] }] });
  const [[, { d }]] = styled(drawing, 'band');
  assert.equal(d, 'M56 18L480 18L480 254L56 254Z');
});

test('a long curve’s table is cut to about fifty rows and ends with the last', () => {
  const x = Array.from({ length: 1001 }, (_, k) => k);
  const { rows } = linesDrawing(lines(['a', x, x])).table;
  assert.ok(rows.length <= 60);
  assert.deepEqual(rows.at(-1), ['1000', '1000']);
});

test('labels at the ends never touch', () => {
  const same = Array.from({ length: 4 }, (_, k) => /** @type {[string, number[], number[]]} */ ([`serie ${k}`, [0, 1], [0, 1]]));
  const ys = styled(linesDrawing(lines(...same)), 'name').map(([, { y }]) => Number(y)).sort((a, b) => a - b);
  assert.equal(ys.length, 4);
  ys.slice(1).forEach((y, k) => assert.ok(y - ys[k] >= 16));
});

test('a matrix shows every number and marks negative ones', () => {
  const drawing = matrixDrawing(matrix([[0.25, -1], [0, 0.5]], ['x', 'y'], ['a', 'b']));
  assert.deepEqual(styled(drawing, 'number').map(([, , text]) => text), ['0,25', '−1', '0', '0,5']);
  const squares = drawing.marks.filter(([tag]) => tag === 'rect').map(([, attributes]) => attributes.class);
  assert.deepEqual(squares, ['cell-positive', 'cell-negative', 'cell-positive', 'cell-positive']);
  assert.deepEqual(drawing.table.rows, [['x', '0,25', '−1'], ['y', '0', '0,5']]);
});

test('a large matrix is cut and says so', () => {
  const drawing = matrixDrawing(matrix(Array.from({ length: 500 }, () => Array(40).fill(0))));
  assert.ok(drawing.marks.filter(([tag]) => tag === 'rect').length <= MAX_CELLS);
  assert.match(drawing.said, /se dibujan las primeras 40 filas de 500/);
});

test('a column is as wide as its name while there is room', () => {
  const names = (/** @type {string[]} */ labels) =>
    styled(matrixDrawing(matrix([labels.map(() => 0)], [''], labels)), 'tick').map(([, , text]) => text)
      .filter(Boolean);
  const few = [1, 2, 3, 4].map((head) => `cabeza ${head}`);
  assert.deepEqual(names(few), few);
  assert.match(String(names([...few, ...few, ...few, ...few, ...few, ...few])[0]), /…$/);
});

test('the picture says itself in words, and no label becomes markup', () => {
  const html = String(figure(el, 'lines', { ...lines(['<b>', [0, 1], [1, 2]]), title: '<i>' }));
  assert.ok(html.includes('role="img" aria-label="&#60;i&#62;: &#60;b&#62;: de 1 a 2"'));
  assert.ok(html.includes('<figcaption>&#60;i&#62;</figcaption>'));
  assert.ok(html.includes('<summary>Ver los números</summary>'));
  assert.doesNotMatch(html, /<[bi]>/);
});

test('progress is a bar and its words', () => {
  assert.equal(String(figure(el, 'progress', { title: 'pasos', done: 60, total: 150 })),
    '<p class="progress-bar"><progress value="60" max="150" aria-label="pasos"></progress> <span>60 de 150 pasos</span></p>');
});
