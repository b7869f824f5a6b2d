// A head in five numbers, and how alike two heads are.

/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./payload.js').Values} Values */

/**
 * @typedef {object} Summary means over the queries that have keys
 * @property {number} rows how many those are
 * @property {number} entropy bits
 * @property {number} mostEntropy bits, of a uniform row over the visible keys
 * @property {number} offset Σ weight·(key − query), in tokens; negative looks back
 * @property {number} previous weight on the key just before
 * @property {number} first weight on the first key (the usual sink)
 * @property {number} self weight on the query's own place
 * @property {string | null} label only from LABEL_FROM on
 */

/** A label is given only when that share of the attention says so. */
export const LABEL_FROM = 0.6;

/**
 * Summarise a map.
 * @param {Model} model @param {Values} values (n_q, n_k)
 * @returns {Summary}
 */
export function summarise({ nQ, nK, mask, same }, values) {
  const sum = { entropy: 0, mostEntropy: 0, offset: 0, previous: 0, first: 0, self: 0 };
  let next = 0;
  let rows = 0;
  for (let i = 0; i < nQ; i += 1) {
    const base = i * nK;
    let open = 0;
    for (let j = 0; j < nK; j += 1) {
      if (mask && mask[base + j]) continue;
      open += 1;
      const p = values[base + j];
      if (p > 0) sum.entropy -= p * Math.log2(p);
      sum.offset += p * (j - i);
    }
    if (open === 0) continue;
    rows += 1;
    sum.mostEntropy += Math.log2(open);
    sum.first += values[base];
    if (i < nK) sum.self += values[base + i];
    if (i > 0 && i - 1 < nK) sum.previous += values[base + i - 1];
    if (i + 1 < nK) next += values[base + i + 1];
  }
  const mean = (/** @type {number} */ total) => (rows ? total / rows : 0);
  const summary = {
    rows, entropy: mean(sum.entropy), mostEntropy: mean(sum.mostEntropy), offset: mean(sum.offset),
    previous: mean(sum.previous), first: mean(sum.first), self: mean(sum.self),
  };
  /** @type {[string, number][]} */
  const candidates = [
    ['sumidero: primer token', summary.first],
    ...(same ? /** @type {[string, number][]} */ ([
      ['posicional: token anterior', summary.previous], ['posicional: token siguiente', mean(next)],
      ['diagonal: se mira a sí mismo', summary.self],
    ]) : []),
  ];
  const [name, share] = candidates.reduce((a, b) => (b[1] > a[1] ? b : a));
  return { ...summary, label: share >= LABEL_FROM ? name : null };
}

/**
 * Attention that two maps share: the mean over queries of Σ_j min(a_ij, b_ij), from 0 (nothing
 * in common) to 1 (the same map). It is 1 minus the total variation distance.
 * @param {Values} a (n_q, n_k) @param {Values} b (n_q, n_k) @param {number} rows queries with keys
 * @returns {number}
 */
export function overlap(a, b, rows) {
  let shared = 0;
  for (let c = 0; c < a.length; c += 1) shared += a[c] < b[c] ? a[c] : b[c];
  return rows ? shared / rows : 0;
}
