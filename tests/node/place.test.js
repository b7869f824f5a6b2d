/** What the reader chose: kept where new data have it, and carried by a link. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { fromHash, toHash } from '../../static/heatmap/link.js';
import { readPayload } from '../../static/heatmap/payload.js';
import { carryOver, initialState, litOf, sameLine } from '../../static/heatmap/state.js';
import { anyPayload, model, seeded } from './maps.js';

const heads = (/** @type {number} */ count, /** @type {number} */ n) => model(
  Array.from({ length: count }, () => Array.from({ length: n }, () => Array(n).fill(1 / n))),
  Array.from({ length: n }, (_, k) => `t${k}`));
const row = (/** @type {number} */ index, /** @type {number|null} */ cell = null) =>
  /** @type {const} */ ({ axis: 'row', index, cell });

test('new data keep the head and the locked row that they have', () => {
  const state = { ...initialState(), head: 2, pinned: 1, locked: row(7, 5), hover: row(1) };
  const kept = carryOver(state, heads(4, 8));
  assert.deepEqual([kept.head, kept.pinned, kept.locked, kept.hover], [2, 1, row(7, 5), null]);
});

test('new data let go of what they lack', () => {
  const state = {
    ...initialState(), layer: 3, head: 2, pinned: 2, off: true, locked: row(7), focus: row(1, 5),
    view: /** @type {const} */ ('similarity'),
  };
  assert.deepEqual(carryOver(state, heads(1, 4)), { ...initialState(), focus: row(1) });
});

test('whatever comes, what is kept exists', () => {
  const random = seeded(9);
  const any = (/** @type {number} */ n) => Math.floor(random() * n);
  const lit = () => (random() < 0.3 ? null
    : { axis: /** @type {'row'|'col'} */ (random() < 0.5 ? 'row' : 'col'), index: any(9), cell: random() < 0.5 ? any(9) : null });
  for (let round = 0; round < 200; round += 1) {
    const read = readPayload(anyPayload(random));
    const state = carryOver({ ...initialState(), layer: any(5), head: any(6), pinned: any(6), off: true, locked: lit(), focus: lit() }, read);
    assert.ok(state.layer < read.numLayers && state.head < read.numHeads);
    assert.ok(state.pinned === null || state.pinned < read.numHeads);
    assert.ok(!state.off || read.headDeltas);
    for (const place of [state.locked, state.focus]) {
      const [own, other] = place?.axis === 'row' ? [read.nQ, read.nK] : [read.nK, read.nQ];
      assert.ok(!place || (place.index < own && (place.cell === null || place.cell < other)));
    }
  }
});

test('a lock wins over the pointer, the pointer over the focus', () => {
  const state = { ...initialState(), locked: row(1), hover: row(2), focus: row(3) };
  assert.deepEqual(litOf(state), row(1));
  assert.deepEqual(litOf({ ...state, locked: null }), row(2));
  assert.deepEqual(litOf({ ...state, locked: null, hover: null }), row(3));
  assert.equal(litOf(initialState()), null);
  assert.ok(sameLine(row(1, 0), row(1, 2)));
  assert.ok(!sameLine(row(1), null));
});

test('a link says heads and rows as the page counts them', () => {
  const state = { ...initialState(), head: 1, scale: /** @type {const} */ ('row'), locked: row(7) };
  assert.equal(toHash('mapa', state, ''), 'mapa=mapa&cabeza=2&fila=8&escala=fila');
});

test('what a link says is read back, whatever it is', () => {
  const random = seeded(10);
  const any = (/** @type {number} */ n) => Math.floor(random() * n);
  const sentences = ['', 'Ana durmió bien', 'a & b = <c> #1? 100 % + «más»', '🙂 ñ'];
  for (let round = 0; round < 200; round += 1) {
    const state = {
      ...initialState(), layer: any(3), mean: random() < 0.2, pinned: random() < 0.5 ? any(4) : null,
      scale: /** @type {any} */ (['absolute', 'row'][any(2)]), off: random() < 0.5,
      view: /** @type {any} */ (['map', 'table', 'similarity'][any(3)]),
      locked: random() < 0.3 ? null : /** @type {any} */ ({ axis: ['row', 'col'][any(2)], index: any(9), cell: null }),
    };
    state.head = state.mean ? 0 : any(4);
    const sentence = sentences[any(4)];
    const found = fromHash(`#${toHash('el mapa', state, sentence)}`, 'el mapa');
    assert.ok(found);
    assert.equal(found.sentence, sentence);
    assert.deepEqual({ ...initialState(), ...found.change }, state);
  }
});

test('other addresses are none of a map’s', () => {
  for (const hash of ['', '#', '#seccion', '#mapa=otro&cabeza=2', '#celdas=abc']) {
    assert.equal(fromHash(hash, 'mapa'), null);
  }
});

test('nonsense in a link is left out', () => {
  const found = fromHash('#mapa=mapa&cabeza=-1&fila=x&columna=1.5&con=0&vista=nada&escala=nada', 'mapa');
  assert.deepEqual({ ...initialState(), ...found?.change }, initialState());
  assert.equal(fromHash(`#mapa=mapa&frase=${'a'.repeat(1000)}`, 'mapa')?.sentence.length, 400);
});
