/** A head in five numbers, and what two heads share. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { hasNoKeys, headValues, readPayload } from '../../static/heatmap/payload.js';
import { LABEL_FROM, overlap, summarise } from '../../static/heatmap/stats.js';
import { anyPayload, model, payload, seeded } from './maps.js';

const close = (/** @type {number} */ a, /** @type {number} */ b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
const summary = (/** @type {number[][]} */ rows, more = {}) => {
  const read = model([rows], rows.map((_, k) => `t${k}`), more);
  return summarise(read, headValues(read, 0, 0));
};
const shifted = (/** @type {number} */ n, /** @type {number} */ by) => // all on the key `by` away, kept inside
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) =>
    (j === Math.max(0, Math.min(n - 1, i + by)) ? 1 : 0)));

test('uniform rows have all the entropy there is, and no label', () => {
  const { entropy, mostEntropy, first, label } = summary(Array(4).fill(Array(4).fill(0.25)));
  assert.deepEqual([entropy, mostEntropy, first, label], [2, 2, 0.25, null]);
});

test('rows on one key have no entropy', () => {
  close(summary(shifted(5, 0)).entropy, 0);
});

test('what a head does is named: before, after, itself, the first token', () => {
  const n = 6;
  assert.equal(summary(shifted(n, -1)).label, 'posicional: token anterior');
  assert.equal(summary(shifted(n, 1)).label, 'posicional: token siguiente');
  assert.equal(summary(shifted(n, 0)).label, 'diagonal: se mira a sí mismo');
  assert.equal(summary(Array(n).fill([1, ...Array(n - 1).fill(0)])).label, 'sumidero: primer token');
  close(summary(shifted(n, -1)).offset, -(n - 1) / n);
});

test('a label is given from its threshold on, not below', () => {
  const at = (/** @type {number} */ share) => summary(Array(4).fill([share, 1 - share, 0, 0])).label;
  assert.equal(at(LABEL_FROM), 'sumidero: primer token');
  assert.equal(at(LABEL_FROM - 0.001), null);
});

test('other keys than queries have no diagonal', () => {
  const { label, self } = summary(shifted(4, 0), { tokens_k: ['w', 'x', 'y', 'z'] });
  assert.equal(label, null);
  assert.equal(self, 1);
});

test('rows without keys count in no mean', () => {
  const rows = [[0.5, 0.5, 0], [0, 0, 0], [0, 0.5, 0.5]];
  const mask = { shape: [3, 3], data: [0, 0, 1, 1, 1, 1, 1, 0, 0] };
  const { rows: count, entropy, mostEntropy } = summary(rows, { mask });
  assert.deepEqual([count, entropy, mostEntropy], [2, 1, 1]);
});

test('a map where nobody has keys is all zeros', () => {
  const { rows, entropy, first, label } = summary([[0]], { mask: { shape: [1, 1], data: [1] } });
  assert.deepEqual([rows, entropy, first, label], [0, 0, 0, null]);
});

test('of any head: entropy within its bounds, shares within 0 and 1', () => {
  const random = seeded(4);
  for (let round = 0; round < 100; round += 1) {
    const read = readPayload(anyPayload(random));
    const { entropy, mostEntropy, offset, previous, first, self, rows } = summarise(read, headValues(read, 0, 0));
    assert.ok(entropy >= 0 && entropy <= mostEntropy + 1e-9);
    for (const share of [previous, first, self]) assert.ok(share >= 0 && share <= 1);
    assert.ok(Math.abs(offset) < Math.max(read.nQ, read.nK));
    assert.equal(rows, read.tokensQ.filter((_, i) => !hasNoKeys(read, i)).length);
  }
});

test('equal heads share all, disjoint heads nothing, and order does not matter', () => {
  const { weights } = readPayload(payload([[[1, 0], [0, 1]]], ['a', 'b']));
  close(overlap(weights, weights, 2), 1);
  close(overlap(weights, Float64Array.of(0, 1, 1, 0), 2), 0);
  assert.equal(overlap(weights, weights, 0), 0);
  const random = seeded(5);
  for (let round = 0; round < 50; round += 1) {
    const read = readPayload(anyPayload(random));
    const rows = read.tokensQ.filter((_, i) => !hasNoKeys(read, i)).length;
    const [a, b] = [headValues(read, 0, 0), headValues(read, 0, read.numHeads - 1)];
    const shared = overlap(a, b, rows);
    assert.ok(shared >= 0 && shared <= 1 + 1e-9);
    close(shared, overlap(b, a, rows));
    if (rows) close(overlap(a, a, rows), 1);
  }
});
