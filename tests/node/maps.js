/** Seeded numbers, and the payloads that the heatmap's tests draw from them. */

import { readPayload } from '../../static/heatmap/payload.js';

/** Numbers in [0, 1), the same in every run (Park and Miller's generator). @param {number} seed */
export function seeded(seed) {
  let state = (seed * 7919 + 1) % 2147483647;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** Scores to weights that sum to 1; −Infinity weighs nothing. @param {number[]} scores */
export function softmax(scores) {
  const most = Math.max(...scores);
  if (most === -Infinity) return scores.map(() => 0);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** A payload in JSON form. @param {number[][][]} heads @param {string[]} tokens @param {object} [more] */
export function payload(heads, tokens, more = {}) {
  const shape = [heads.length, heads[0].length, heads[0][0].length];
  return {
    tokens_q: tokens, tokens_k: tokens, attn_weights: { shape, data: heads.flat(2) },
    mask: null, head_labels: heads.map((_, h) => `cabeza ${h + 1}`), title: 'prueba', ...more,
  };
}

/** The same, read. @param {Parameters<typeof payload>} args */
export const model = (...args) => readPayload(payload(...args));

/** Any sound payload: sizes, mask, layers and deltas are the generator's choice. @param {() => number} random */
export function anyPayload(random) {
  const upTo = (/** @type {number} */ n) => 1 + Math.floor(random() * n);
  const [layers, heads, nQ, nK] = [random() < 0.5 ? upTo(3) : 0, upTo(4), upTo(6), upTo(6)];
  const hidden = random() < 0.5 ? Array.from({ length: nQ * nK }, () => (random() < 0.4 ? 1 : 0)) : null;
  const rows = Array.from({ length: (layers || 1) * heads * nQ }, (_, row) =>
    softmax(Array.from({ length: nK }, (_, j) =>
      (hidden?.[(row % nQ) * nK + j] ? -Infinity : 6 * random() - 3))));
  const names = (/** @type {string} */ stem, /** @type {number} */ n) =>
    Array.from({ length: n }, (_, k) => `${stem}${k}`);
  return {
    tokens_q: names('q', nQ), tokens_k: names('k', nK),
    attn_weights: { shape: layers ? [layers, heads, nQ, nK] : [heads, nQ, nK], data: rows.flat() },
    mask: hidden && { shape: [nQ, nK], data: hidden },
    head_labels: names('cabeza ', heads), title: 'cualquiera',
    ...(layers ? { layers: names('c', layers) } : {}),
    ...(random() < 0.5 ? { head_deltas: {
      shape: [heads, nQ], data: Array.from({ length: heads * nQ }, random) } } : {}),
  };
}
