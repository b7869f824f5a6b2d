/** Numbers, tokens and places in Spanish words. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { headValues } from '../../static/heatmap/payload.js';
import {
  cut, headName, headTitle, listing, number, ranking, repetitions, says, sentence, spoken, visible,
} from '../../static/heatmap/words.js';
import { model, seeded } from './maps.js';

const EYE = [[1, 0], [0, 1]];
const row = (/** @type {number} */ index, /** @type {number|null} */ cell = null) =>
  /** @type {const} */ ({ axis: 'row', index, cell });
const col = (/** @type {number} */ index, /** @type {number|null} */ cell = null) =>
  /** @type {const} */ ({ axis: 'col', index, cell });
const say = (/** @type {any} */ read, /** @type {any} */ lit, deltas = null) =>
  sentence(read, headValues(read, 0, 0), lit, 'cabeza 1', deltas);

test('numbers have a comma, two places and a real minus', () => {
  assert.deepEqual([0.617, 1, 0, -0.25, 0.005, 12.345].map(number), ['0,62', '1,00', '0,00', '−0,25', '0,01', '12,35']);
  assert.equal(number(-0.001), '0,00', 'no minus before nothing');
});

test('every token leaves ink', () => {
  const shown = {
    '': '∅', ' ': '␣', '\n': '↵', '\t': '⇥', '\u00a0': '⍽', '\u0000': '␀', '\u200b': '‹200B›',
    '\ud83d': '\ufffd', 'el gato': 'el gato', ' el': '␣el', 'el ': 'el␣', '   ': '␣␣␣',
    '👩‍👩‍👧': '👩‍👩‍👧', 'مرحبا': 'مرحبا', '<b>x</b>': '<b>x</b>', 'a\u202eb': 'a‹202E›b',
  };
  for (const [token, picture] of Object.entries(shown)) assert.equal(visible(token), picture);
});

test('no token turns the text around it, nor breaks its line', () => {
  const random = seeded(7);
  const alphabet = [...'aé ñ\n\t', '\u200b', '\u202e', '\u2066', '\ufeff', '\u200d', '👩', 'م', '\ud83d', '\u0007'];
  for (let round = 0; round < 500; round += 1) {
    const token = Array.from({ length: 1 + Math.floor(random() * 5) }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
    const shown = visible(token);
    assert.notEqual(shown.trim(), '');
    assert.doesNotMatch(shown, /[\n\r\t\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u, JSON.stringify(token));
  }
});

test('repeated tokens are told apart by their turn', () => {
  assert.deepEqual(repetitions(['el', 'gato', 'el', 'perro', 'el']), [1, 0, 2, 0, 3]);
  const tokens = ['el', 'el', '', ' ', 'ajá'];
  assert.deepEqual(tokens.map((_, k) => spoken(tokens, k)),
    ['«el» (1.º)', '«el» (2.º)', 'token vacío', 'token en blanco', '«ajá»']);
});

test('long texts are cut by what the eye counts as a character', () => {
  assert.equal(cut('corto', 5), 'corto');
  assert.equal(cut('largo de más', 6), 'largo…');
  assert.equal(cut('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 3), '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧');
  assert.equal(cut('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2), '👩‍👩‍👧…');
});

test('a list has its commas and its «y»', () => {
  assert.deepEqual([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listing), ['', 'a', 'a y b', 'a, b y c']);
});

test('heads are named by number, layer and label', () => {
  const read = model([EYE, EYE], ['a', 'b'], { head_labels: ['cabeza 1', 'verbo → sujeto'] });
  const layered = { ...read, layers: ['1', 'última'] };
  assert.equal(headName(read, { layer: 0, head: 1, mean: false }), 'cabeza 2');
  assert.equal(headName(read, { layer: 0, head: 1, mean: true }), 'media de 2 cabezas');
  assert.equal(headName(layered, { layer: 1, head: 0, mean: false }), 'capa última, cabeza 1');
  assert.equal(headTitle(read, 0, false), 'Cabeza 1', 'a label that says its number is not said twice');
  assert.equal(headTitle(read, 1, true), 'Cabeza 2 · verbo → sujeto · apagada');
  assert.equal(headTitle(read, -1, false), 'Media de las 2 cabezas: ninguna mira así');
  assert.deepEqual(['', 'cabeza 3', 'Head 3', 'h3', '7'].map(says), Array(5).fill(false));
  assert.equal(says('hola'), true);
});

test('a row says its three largest weights, in falling order', () => {
  const read = model([[[0.1, 0.2, 0.3, 0.4]]], ['q'], { tokens_k: ['a', 'b', 'c', 'd'] });
  assert.equal(say(read, row(0)), 'cabeza 1: «q» atiende 0,40 a «d», 0,30 a «c» y 0,20 a «b».');
});

test('a column says who looks at it, a square says itself', () => {
  const read = model([[[0.9, 0.1], [0.5, 0.5]]], ['a', 'b']);
  assert.equal(say(read, col(0)), 'cabeza 1: «a» recibe 0,90 de «a» y 0,50 de «b».');
  assert.equal(say(read, row(0, 1)), 'cabeza 1: «a» atiende 0,10 a «b».');
  assert.equal(say(read, col(1, 0)), 'cabeza 1: «b» recibe 0,10 de «a».');
});

test('what is masked is said to be so, which a zero is not', () => {
  const read = model([[[1, 0], [0, 0]]], ['a', 'b'], { mask: { shape: [2, 2], data: [0, 0, 1, 1] } });
  assert.equal(say(read, row(0, 1)), 'cabeza 1: «a» atiende 0,00 a «b».');
  const masked = 'cabeza 1: «b» no puede mirar a «a»: casilla enmascarada.';
  assert.equal(say(read, row(1, 0)), masked);
  assert.equal(say(read, col(0, 1)), masked);
  assert.equal(say(read, row(1)), 'cabeza 1: «b», sin claves: todas están enmascaradas.');
  const alone = model([[[1, 0], [1, 0]]], ['a', 'b'], { mask: { shape: [2, 2], data: [0, 1, 0, 1] } });
  assert.equal(say(alone, col(1)), 'cabeza 1: «b»: nadie puede mirarlo.');
});

test('weights that would read 0,00 are left unsaid', () => {
  const n = 400;
  const tokens = Array.from({ length: n }, (_, k) => `t${k}`);
  const flat = model([[Array(n).fill(1 / n)]], ['q'], { tokens_k: tokens });
  assert.equal(say(flat, row(0)), 'cabeza 1: «q» atiende menos de 0,01 a cada uno.');
  const sharp = model([[[0.998, 0.002]]], ['q'], { tokens_k: ['a', 'b'] });
  assert.equal(say(sharp, row(0)), 'cabeza 1: «q» atiende 1,00 a «a».');
});

test('a head switched off says what its absence changes', () => {
  const read = model([EYE], ['a', 'b']);
  assert.match(say(read, row(1), /** @type {any} */ ([0.1, 0.25])), / Sin esta cabeza, su salida cambia 0,25\.$/);
  assert.doesNotMatch(say(read, col(1), /** @type {any} */ ([0.1, 0.25])), /Sin esta cabeza/);
});

test('a ranking is the head of the sorted list, earlier places first', () => {
  const random = seeded(8);
  for (let round = 0; round < 200; round += 1) {
    const values = Array.from({ length: Math.floor(random() * 12) }, () => Math.floor(random() * 6) - 1);
    const limit = 1 + Math.floor(random() * 4);
    const sorted = values.map((value, k) => [k, value]).filter(([, value]) => value >= 0).sort((a, b) => b[1] - a[1]);
    assert.deepEqual(ranking(values.length, (k) => values[k], limit), sorted.slice(0, limit));
  }
});
