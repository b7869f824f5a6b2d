/** What the heatmap draws and what it refuses: its data are checked once, and told in Spanish. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { deltasOf, hasNoKeys, headValues, meanValues, readPayload } from '../../static/heatmap/payload.js';
import { anyPayload, model, payload, seeded } from './maps.js';

/** A payload of two tokens with something wrong in it. @param {object} change */
const wrong = (change) => payload([[[0.5, 0.5], [1, 0]]], ['a', 'b'], change);
const weights = (/** @type {number[]} */ ...data) => ({ attn_weights: { shape: [1, 2, 2], data } });

/** @type {Record<string, [object, string]>} */
const WRONG = {
  'a NaN': [weights(NaN, 0.5, 1, 0), 'cabeza 1, fila 1 («a»), columna 1: NaN no es un peso'],
  'an infinite weight': [weights(0.5, 0.5, Infinity, 0), 'fila 2 («b»), columna 1: Infinity no es un peso'],
  'a sum above 1': [weights(0.5, 0.6, 1, 0), 'suman 1.100 y deben sumar 1'],
  'a row of zeros that nothing masks': [weights(0, 0, 1, 0), 'deben sumar 1'],
  'logits': [weights(3, -2, 1, 0), 'después del softmax'],
  'a negative weight': [weights(1.00005, -0.5, 1, 0), '-0.5 no es un peso'],
  'columns that sum to 1, rows that do not': [weights(0.9, 0.9, 0.1, 0.1), 'falta el softmax sobre las keys'],
  'too few queries': [{ tokens_q: ['a'] }, 'tokens_q tiene 1 tokens y attn_weights 2 filas'],
  'too many keys': [{ tokens_k: ['a', 'b', 'c'] }, 'tokens_k tiene 3 tokens y attn_weights 2 columnas'],
  'no axis of heads': [{ attn_weights: { shape: [2, 2], data: [1, 0, 0, 1] } },
    'la forma (2, 2) y hace falta (num_heads, n_q, n_k)'],
  'layers without their axis': [{ layers: ['1'] }, 'hace falta (num_layers, num_heads, n_q, n_k)'],
  'layers that lack a name': [
    { layers: ['1'], attn_weights: { shape: [2, 1, 2, 2], data: [1, 0, 0, 1, 1, 0, 0, 1] } },
    'layers tiene 1 nombres y attn_weights 2 capas'],
  'fewer numbers than the shape asks for': [{ attn_weights: { shape: [1, 2, 2], data: [1, 0] } },
    'pide 4 números y llegan 2'],
  'no head': [{ attn_weights: { shape: [0, 2, 2], data: [] }, head_labels: [] }, 'está vacío'],
  'weights as a bare list': [{ attn_weights: [[1, 0], [0, 1]] }, 'debe llegar como {shape, data}'],
  'no weights': [{ attn_weights: undefined }, 'debe llegar como {shape, data}'],
  'labels for other heads': [{ head_labels: ['a', 'b'] }, 'head_labels tiene 2 nombres y hay 1 cabezas'],
  'a mask of another shape': [{ mask: { shape: [1, 2], data: [0, 0] } },
    'mask tiene la forma (1, 2) y hace falta (n_q, n_k) = (2, 2)'],
  'weight on a masked key': [{ mask: { shape: [2, 2], data: [1, 0, 0, 0] } }, 'pesa 0.5 pero mask la oculta'],
  'deltas of another shape': [{ head_deltas: { shape: [1, 3], data: [1, 1, 1] } },
    'head_deltas tiene la forma (1, 3) y hace falta (1, 2)'],
  'a negative delta': [{ head_deltas: { shape: [1, 2], data: [1, -1] } }, 'head_deltas[1] = -1'],
  'tokens that are no texts': [{ tokens_q: [1, 2] }, 'tokens_q[0] no es un texto'],
  'tokens that are no list': [{ tokens_q: 'ab' }, 'tokens_q debe ser una lista de textos'],
};

for (const [what, [change, part]] of Object.entries(WRONG)) {
  test(`${what}: refused, and told what and where`, () => {
    assert.throws(() => readPayload(wrong(change)), ({ message }) => {
      assert.ok(message.startsWith('Mapa de atención: '), message);
      assert.ok(message.includes(part), message);
      return true;
    });
  });
}

test('what is no payload at all is refused', () => {
  for (const nothing of [null, undefined, 3, 'mapa']) {
    assert.throws(() => readPayload(nothing), /Mapa de atención: no hay datos que dibujar/);
  }
});

test('any sound payload is read, and one weight altered in it is refused', () => {
  const random = seeded(1);
  for (let round = 0; round < 200; round += 1) {
    const data = anyPayload(random);
    const { numLayers, numHeads, nQ, nK, weights: read } = readPayload(data);
    assert.equal(numLayers * numHeads * nQ * nK, data.attn_weights.data.length);
    assert.deepEqual([...read], data.attn_weights.data);
    const place = Math.floor(random() * read.length);
    for (const bad of [NaN, -1, 2, data.attn_weights.data[place] + 0.01]) {
      const altered = data.attn_weights.data.with(place, bad);
      const row = Math.floor(place / nK) % nQ;
      const head = Math.floor(place / nK / nQ) % numHeads;
      assert.throws(
        () => readPayload({ ...data, attn_weights: { ...data.attn_weights, data: altered } }),
        ({ message }) => message.includes(`cabeza ${head + 1}, fila ${row + 1} («q${row}»)`),
      );
    }
  }
});

test('typed arrays are read without a copy', () => {
  for (const Type of [Float32Array, Float64Array]) {
    const data = Type.from([1, 0, 0.25, 0.75]);
    const read = readPayload({ ...wrong({}), attn_weights: { shape: [1, 2, 2], data } });
    assert.equal(read.weights, data);
    assert.equal(headValues(read, 0, 0).buffer, data.buffer);
  }
});

test('rows in float32 that miss 1 by rounding are taken for what they are', () => {
  const n = 1000;
  const random = seeded(2);
  const row = Float32Array.from({ length: n }, random);
  const sum = row.reduce((a, b) => a + b, 0);
  const data = row.map((value) => value / sum);
  const tokens = Array.from({ length: n }, (_, k) => `t${k}`);
  readPayload({ tokens_q: ['q'], tokens_k: tokens, attn_weights: { shape: [1, 1, n], data } });
});

test('what may be left out has its value', () => {
  const read = readPayload({ tokens_q: ['a'], attn_weights: { shape: [1, 1, 1], data: [1] } });
  assert.deepEqual(
    [read.tokensK, read.same, read.mask, read.title, read.headLabels, read.layers, read.headDeltas, read.numLayers],
    [['a'], true, null, '', [''], null, null, 1],
  );
});

test('queries and keys are the same only token by token', () => {
  assert.equal(model([[[1, 0], [0, 1]]], ['a', 'b']).same, true);
  assert.equal(model([[[1, 0], [0, 1]]], ['a', 'b'], { tokens_k: ['a', 'c'] }).same, false);
});

test('a layer, a head: the right slice of weights and of deltas', () => {
  const rows = [[1, 0], [0, 1], [0.5, 0.5], [0.25, 0.75]]; // (layer, head) in order; one query
  const data = {
    tokens_q: ['q'], tokens_k: ['a', 'b'], layers: ['1', '2'],
    attn_weights: { shape: [2, 2, 1, 2], data: rows.flat() },
  };
  const shared = readPayload({ ...data, head_deltas: { shape: [2, 1], data: [3, 4] } });
  const own = readPayload({ ...data, head_deltas: { shape: [2, 2, 1], data: [3, 4, 5, 6] } });
  for (const [layer, head] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
    assert.deepEqual([...headValues(own, layer, head)], rows[2 * layer + head]);
    assert.deepEqual([...(deltasOf(own, layer, head) ?? [])], [3 + 2 * layer + head]);
    assert.deepEqual([...(deltasOf(shared, layer, head) ?? [])], [3 + head]);
  }
  assert.equal(deltasOf(readPayload(data), 0, 0), null);
});

test('the mean of the heads sums to 1 as they do', () => {
  const random = seeded(3);
  for (let round = 0; round < 50; round += 1) {
    const read = readPayload(anyPayload(random));
    const mean = meanValues(read, read.numLayers - 1);
    for (let i = 0; i < read.nQ; i += 1) {
      const sum = mean.subarray(i * read.nK, (i + 1) * read.nK).reduce((a, b) => a + b, 0);
      assert.ok(Math.abs(sum - (hasNoKeys(read, i) ? 0 : 1)) < 1e-9);
    }
  }
  assert.deepEqual([...meanValues(model([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], ['a', 'b']), 0)], [0.5, 0.5, 0.5, 0.5]);
});

test('a query has no keys only where every one is hidden', () => {
  const read = model([[[1, 0], [0, 0]]], ['a', 'b'], { mask: { shape: [2, 2], data: [0, 1, 1, 1] } });
  assert.deepEqual([hasNoKeys(read, 0), hasNoKeys(read, 1)], [false, true]);
  assert.equal(hasNoKeys(model([[[1]]], ['a']), 0), false);
});
