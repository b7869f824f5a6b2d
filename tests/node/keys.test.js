/** Walking a map by keyboard: every key leads to a place that exists. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { walk } from '../../static/heatmap/keys.js';
import { seeded } from './maps.js';

const SIZE = { nQ: 3, nK: 5 };
const KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];
const row = (/** @type {number} */ index, /** @type {number|null} */ cell = null) =>
  /** @type {const} */ ({ axis: 'row', index, cell });
const col = (/** @type {number} */ index, /** @type {number|null} */ cell = null) =>
  /** @type {const} */ ({ axis: 'col', index, cell });
const go = (/** @type {any} */ from, /** @type {string} */ key, ctrl = false, size = SIZE) => walk(from, key, ctrl, size);

test('arrows walk rows and their squares', () => {
  assert.deepEqual(go(row(0), 'ArrowDown'), row(1));
  assert.deepEqual(go(row(1), 'ArrowUp'), row(0));
  assert.deepEqual(go(row(1), 'ArrowRight'), row(1, 0));
  assert.deepEqual(go(row(1, 0), 'ArrowRight'), row(1, 1));
  assert.deepEqual(go(row(1, 1), 'ArrowLeft'), row(1, 0));
  assert.deepEqual(go(row(1, 0), 'ArrowLeft'), row(1));
});

test('the last row and the last square hold', () => {
  assert.deepEqual(go(row(2), 'ArrowDown'), row(2));
  assert.deepEqual(go(row(2, 4), 'ArrowRight'), row(2, 4));
});

test('over the upper edge lie the columns, to the left of them the rows', () => {
  assert.deepEqual(go(row(0, 3), 'ArrowUp'), col(3));
  assert.deepEqual(go(row(0), 'ArrowUp'), col(0));
  assert.deepEqual(go(col(0, 2), 'ArrowLeft'), row(2));
});

test('a column is walked as a row turned by 90°', () => {
  assert.deepEqual(go(col(1), 'ArrowRight'), col(2));
  assert.deepEqual(go(col(1), 'ArrowDown'), col(1, 0));
  assert.deepEqual(go(col(1, 2), 'ArrowDown'), col(1, 2));
});

test('Home and End go to the ends of the row, with Ctrl to those of the map', () => {
  assert.deepEqual(go(row(1), 'End'), row(1, 4));
  assert.deepEqual(go(row(1, 3), 'Home'), row(1, 0));
  assert.deepEqual(go(row(1), 'End', true), row(2));
  assert.deepEqual(go(row(1, 2), 'End', true), row(2, 4));
  assert.deepEqual(go(row(1, 2), 'Home', true), row(0, 0));
});

test('pages are ten rows long', () => {
  const size = { nQ: 40, nK: 2 };
  assert.deepEqual(go(row(3), 'PageDown', false, size), row(13));
  assert.deepEqual(go(row(33), 'PageDown', false, size), row(39));
  assert.deepEqual(go(row(13), 'PageUp', false, size), row(3));
  assert.deepEqual(go(row(3), 'PageUp', false, size), row(0));
});

test('other keys mean nothing here', () => {
  for (const key of ['a', 'Tab', 'Enter', 'Escape']) {
    assert.equal(go(row(1), key), null);
    assert.equal(go(col(1), key), null);
  }
});

test('no walk leaves the map', () => {
  const random = seeded(6);
  const upTo = (/** @type {number} */ n) => Math.floor(random() * n);
  for (let round = 0; round < 100; round += 1) {
    const size = { nQ: 1 + upTo(30), nK: 1 + upTo(30) };
    let place = go(row(0), 'Home', false, size);
    for (let step = 0; step < 60; step += 1) {
      place = go(place, KEYS[upTo(KEYS.length)], random() < 0.3, size);
      assert.ok(place);
      const [count, length] = place.axis === 'row' ? [size.nQ, size.nK] : [size.nK, size.nQ];
      assert.ok(place.index >= 0 && place.index < count, JSON.stringify({ place, size }));
      assert.ok(place.cell === null || (place.cell >= 0 && place.cell < length), JSON.stringify({ place, size }));
    }
  }
});
