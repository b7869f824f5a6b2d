/** The map without JavaScript holds every head and every number, whatever the tokens say. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { staticFigure } from '../../static/heatmap/figure.js';
import { anyPayload, payload, seeded } from './maps.js';

/** How often a pattern is found. @param {string} text @param {RegExp} pattern */
const count = (text, pattern) => text.match(pattern)?.length ?? 0;
/** Equal weights on n keys, for each of n queries. @param {number} n @param {number} heads */
const uniform = (n, heads) =>
  payload(Array.from({ length: heads }, () => Array.from({ length: n }, () => Array(n).fill(1 / n))),
    Array.from({ length: n }, (_, k) => `t${k}`));

test('every head is drawn, named for who hears it, with its table', () => {
  const html = staticFigure(payload([[[1, 0], [0.25, 0.75]], [[0, 1], [1, 0]]], ['a', 'b'],
    { head_labels: ['cabeza 1', 'verbo → sujeto'] }));
  assert.equal(count(html, /<svg /g), 2);
  assert.equal(count(html, /<table/g), 2);
  assert.equal(count(html, /<td>\d,\d\d<\/td>/g), 8);
  assert.ok(html.includes('<td>0,25</td><td>0,75</td>'));
  assert.ok(html.includes('<p>Cabeza 1</p>') && html.includes('<p>Cabeza 2 · verbo → sujeto</p>'));
  assert.ok(html.includes('role="img" aria-label="Mapa, cabeza 2 · verbo → sujeto"'));
  assert.ok(html.includes('<figcaption>prueba</figcaption>'));
});

test('squares cover every weight of the first layer once', () => {
  const random = seeded(21);
  for (let round = 0; round < 100; round += 1) {
    const data = anyPayload(random);
    const [heads, nQ, nK] = data.attn_weights.shape.slice(-3);
    const paths = [...staticFigure(data).matchAll(/class="hm-q" style="[^"]*" d="([^"]*)"/g)];
    assert.equal(count(paths.map((found) => found[1]).join(''), /M/g), heads * nQ * nK);
  }
});

test('darker means heavier', () => {
  const html = staticFigure(payload([[[0.1, 0.9], [0.5, 0.5]]], ['a', 'b']));
  const shades = [...html.matchAll(/--w:([\d.]+)%" d="M(\d+ \d+)/g)].map((found) => found.slice(1));
  assert.deepEqual(shades, [['10', '0 0'], ['50', '0 30'], ['90', '30 0']]);
});

test('masked squares are hatched and named, and so is a query without keys', () => {
  const mask = { shape: [2, 2], data: [0, 1, 1, 1] };
  const html = staticFigure(payload([[[1, 0], [0, 0]]], ['a', 'b'], { mask }));
  assert.equal(count(html, /class="hm-q-hidden"/g), 1);
  assert.equal(count(html, />oculta</g), 1);
  assert.equal(count(html, />sin claves</g), 1);
  assert.match(html, /Rayadas: casillas enmascaradas/);
  assert.doesNotMatch(staticFigure(uniform(2, 1)), /hm-q-hidden|Rayadas/);
});

test('repeated tokens carry their turn, beside the map and in the table', () => {
  const html = staticFigure(payload([[[1, 0], [0, 1]]], ['el', 'el']));
  assert.equal(count(html, />el₁</g), 2);
  assert.equal(count(html, /<bdi>el<\/bdi><sub>2<\/sub>/g), 2);
});

test('no token becomes markup, nor is what can’t be written let in', () => {
  const tokens = ['</script><script>alert(1)</script>', '<b>', '&amp;', '"', '\u2028', '\ud800'];
  const html = staticFigure(payload([tokens.map(() => Array(6).fill(1 / 6))], tokens,
    { title: '<i>título</i>', head_labels: ['</p><hr>'] }));
  assert.doesNotMatch(html, /<\/?(b|i|hr|script)\b|\p{Surrogate}/u);
  assert.doesNotMatch(html, /&(?!#\d+;)/);
});

test('large maps are drawn without names and tables, huge ones are said', () => {
  const middle = staticFigure(uniform(40, 8));
  assert.equal(count(middle, /<svg /g), 8);
  assert.doesNotMatch(middle, /<table|<text/);
  const huge = staticFigure(uniform(100, 1));
  assert.doesNotMatch(huge, /<svg/);
  assert.match(huge, /1 cabeza de 100 × 100/);
});

test('of layers the first is shown, and the figure says so', () => {
  const shape = [3, 2, 2, 2];
  const html = staticFigure({ ...uniform(2, 2), attn_weights: { shape, data: Array(24).fill(0.5) }, layers: ['1', '2', '3'] });
  assert.match(html, /Se ve la capa 1 de 3/);
  assert.equal(count(html, /<svg /g), 2);
});
