/** From weights to colours and files: ramp steps, pooled pixels, SVG, CSV and JSON. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { fillPixels, rowMaxima, step, visibleRange } from '../../static/heatmap/paint.js';
import { fromOklab, luminance, toOklab } from '../../static/heatmap/palette.js';
import { headValues, readPayload } from '../../static/heatmap/payload.js';
import { drawSvg } from '../../static/heatmap/svg.js';
import { toCsv, toJson } from '../../static/heatmap/take.js';
import { anyPayload, model, payload, seeded } from './maps.js';

const MASKED = 999; // a pixel that no ramp has
const PALETTE = {
  paper: 'white', ink: 'black', soft: 'grey', accent: 'blue', hatch: 'grey', font: '"Mi letra", serif',
  ramp: Array.from({ length: 256 }, (_, k) => `rgb(${k} ${k} ${k})`), inkOn: Array(256).fill('#000'),
  pixels: Uint32Array.from({ length: 256 }, (_, k) => k), hatchPixel: MASKED,
};
/** @param {any} read @param {object} [more] */
const sheet = (read, more = {}) => ({
  values: headValues(read, 0, 0), nQ: read.nQ, nK: read.nK, mask: read.mask, rowMax: null, ...more,
});

test('absolute steps follow the weight, steps by row its share of the row’s largest', () => {
  const read = model([[[0.25, 0.75], [0.5, 0.5]]], ['a', 'b']);
  const rowMax = rowMaxima(headValues(read, 0, 0), 2, 2);
  assert.deepEqual([...rowMax], [0.75, 0.5]);
  assert.deepEqual([step(sheet(read), 0, 0), step(sheet(read), 0, 1)], [64, 191]);
  assert.deepEqual([step(sheet(read, { rowMax }), 0, 0), step(sheet(read, { rowMax }), 1, 0)], [85, 255]);
});

test('a row of zeros is divided by nothing', () => {
  const read = model([[[0, 0]]], ['q'], { tokens_k: ['a', 'b'], mask: { shape: [1, 2], data: [1, 1] } });
  assert.equal(step(sheet(read, { rowMax: rowMaxima(headValues(read, 0, 0), 1, 2) }), 0, 0), 0);
});

test('only what the window shows is painted, and all of it', () => {
  assert.deepEqual(visibleRange(0, 100, 20, 50), [0, 5]);
  assert.deepEqual(visibleRange(30, 100, 20, 50), [1, 7]);
  assert.deepEqual(visibleRange(950, 100, 20, 50), [47, 50]);
  const random = seeded(11);
  for (let round = 0; round < 200; round += 1) {
    const [start, length, cell] = [random() * 500, random() * 300, 1 + random() * 40];
    const [from, to] = visibleRange(start, length, cell, 20);
    for (let k = 0; k < 20; k += 1) {
      const seen = k * cell < start + length && (k + 1) * cell > start;
      assert.ok(!seen || (k >= from && k < to), `square ${k} of ${start}, ${length}, ${cell}`);
    }
  }
});

test('a pixel that several squares share shows the largest', () => {
  const random = seeded(12);
  for (let round = 0; round < 50; round += 1) {
    const n = 8;
    const rows = Array.from({ length: n }, () => {
      const row = Array.from({ length: n }, random);
      const sum = row.reduce((a, b) => a + b, 0);
      return row.map((value) => value / sum);
    });
    const read = model([rows], rows.map((_, k) => `t${k}`));
    const pixels = new Uint32Array(4 * 4);
    fillPixels(pixels, 4, 0, 0, 4, 4, sheet(read), PALETTE);
    for (let y = 0; y < 4; y += 1) {
      for (let x = 0; x < 4; x += 1) {
        const pooled = [0, 1].flatMap((di) => [0, 1].map((dj) => step(sheet(read), 2 * y + di, 2 * x + dj)));
        assert.equal(pixels[4 * y + x], Math.max(...pooled));
      }
    }
  }
});

test('a map in a corner of a picture leaves the rest of it alone', () => {
  const read = model([[[1, 0], [0, 1]]], ['a', 'b']);
  const pixels = new Uint32Array(16).fill(7);
  fillPixels(pixels, 4, 1, 2, 2, 2, sheet(read), PALETTE);
  assert.deepEqual([...pixels], [7, 7, 7, 7, 7, 7, 7, 7, 7, 255, 0, 7, 7, 0, 255, 7]);
});

test('pooled masked squares are hatched, and a visible one among them wins', () => {
  const mask = { shape: [1, 8], data: [0, 1, 1, 1, 1, 1, 1, 1] };
  const read = model([[[1, 0, 0, 0, 0, 0, 0, 0]]], ['q'], { tokens_k: [...'abcdefgh'], mask });
  const pixels = new Uint32Array(8);
  fillPixels(pixels, 8, 0, 0, 8, 1, sheet(read), PALETTE);
  assert.deepEqual([...pixels], [255, 0, 0, 0, MASKED, 0, 0, 0]);
  const pooled = new Uint32Array(4);
  fillPixels(pooled, 4, 0, 0, 4, 1, sheet(read), PALETTE);
  assert.equal(pooled[0], 255);
});

test('colours come back from OKLab as they went', () => {
  const random = seeded(13);
  for (let round = 0; round < 200; round += 1) {
    const rgb = /** @type {[number, number, number]} */ ([random(), random(), random()]);
    fromOklab(toOklab(rgb)).forEach((c, k) => assert.ok(Math.abs(c - rgb[k]) < 1e-5, `${rgb}`));
  }
  assert.ok(Math.abs(luminance([1, 1, 1]) - 1) < 1e-9);
  assert.equal(luminance([0, 0, 0]), 0);
});

test('black or white ink has contrast on every colour', () => {
  const random = seeded(14);
  for (let round = 0; round < 1000; round += 1) {
    const light = luminance([random(), random(), random()]);
    assert.ok((light > 0.1791 ? (light + 0.05) / 0.05 : 1.05 / (light + 0.05)) >= 4.5);
  }
});

test('the CSV has every weight on its line, quotes doubled', () => {
  const data = { ...payload([[[1, 0], [0.25, 0.75]]], ['a', 'di "b", c']), mask: { shape: [2, 2], data: [0, 1, 0, 0] } };
  assert.equal(toCsv(readPayload(data)), [
    'capa,cabeza,fila,query,columna,key,peso,enmascarada', '1,1,1,"a",1,"a",1,0',
    '1,1,1,"a",2,"di ""b"", c",0,1', '1,1,2,"di ""b"", c",1,"a",0.25,0',
    '1,1,2,"di ""b"", c",2,"di ""b"", c",0.75,0', '',
  ].join('\r\n'));
});

test('the JSON is the payload again, whatever it is', () => {
  const random = seeded(15);
  for (let round = 0; round < 100; round += 1) {
    const data = anyPayload(random);
    assert.deepEqual(JSON.parse(toJson(readPayload(data))), JSON.parse(JSON.stringify(data)));
  }
});

test('an SVG has a square for each weight, its hatching and its words', () => {
  const read = model([[[1, 0], [0.4, 0.6]]], ['a', 'b'], { mask: { shape: [2, 2], data: [0, 1, 0, 0] } });
  const { svg, width, height } = drawSvg(read, [{ caption: 'Cabeza 1', sheet: sheet(read) }],
    { axis: 'row', index: 1, cell: null }, PALETTE, 'escala absoluta');
  assert.equal(svg.match(/<rect [^>]*fill="rgb/g)?.length, 4);
  assert.equal(svg.match(/<path [^>]*stroke="grey"/g)?.length, 1);
  for (const text of ['>Cabeza 1<', '>escala absoluta<', '>0,40<', '>0,60<']) assert.ok(svg.includes(text), text);
  assert.ok(svg.startsWith(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`));
});

test('no token ends an SVG’s text or attribute, nor is what XML cannot hold let in', () => {
  const tokens = ['<b>"x"</b>', '&amp;', '\u0001', '\ud83d', '\uffff'];
  const read = model([tokens.map(() => Array(5).fill(0.2))], tokens, { title: '</title>\u0000' });
  const { svg } = drawSvg(read, [{ caption: '<i>', sheet: sheet(read) }], null, PALETTE, '"&');
  assert.doesNotMatch(svg, /[\u0000-\u001f\uffff]|\p{Surrogate}/u);
  assert.doesNotMatch(svg, /<(?!\/?(svg|title|rect|g|text|path)\b)/, 'no element of a token’s making');
  assert.doesNotMatch(svg, /&(?!#\d+;)/);
  assert.equal(svg.match(/<\/title>/g)?.length, 1);
});
