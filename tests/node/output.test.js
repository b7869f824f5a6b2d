/** What a cell writes goes to the page in batches that it can bear, whatever the flood. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { Output } from '../../kernel/worker/output.js';
import { seeded } from './maps.js';

const BATCH_MS = 60;
const BATCH_LIMIT = 4_000;
const KEEP_LIMIT = 5_000_000;

/** An output on a clock that only `tick` moves; what it sent. @param {import('node:test').TestContext} t */
function watched(t) {
  let now = 1_000;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => now);
  /** @type {[string, string][]} */
  const sent = [];
  const output = new Output((stream, text) => sent.push([stream, text]));
  output.begin();
  const tick = (/** @type {number} */ ms) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  return { output, sent, tick };
}

test('the first line is sent at once, the next ones together', (t) => {
  const { output, sent, tick } = watched(t);
  output.add('stdout', 'a\n');
  assert.deepEqual(sent, [['stdout', 'a\n']]);
  output.add('stdout', 'b\n');
  output.add('stdout', 'c\n');
  assert.equal(sent.length, 1);
  tick(BATCH_MS);
  assert.deepEqual(sent.slice(1), [['stdout', 'b\nc\n']]);
});

test('a cell that never awaits is heard all the same', (t) => {
  const { output, sent } = watched(t);
  let now = 2_000;
  t.mock.method(performance, 'now', () => now); // time passes, timers get no turn
  for (let n = 0; n < 100; n += 1, now += 10) output.add('stdout', '.');
  assert.ok(sent.length >= 10 && sent.length <= 20, `${sent.length} batches in a second`);
});

test('streams keep their order, and neighbours of one stream are one piece', (t) => {
  const { output, sent } = watched(t);
  output.add('stdout', '0');
  for (const [stream, text] of [['stdout', 'a'], ['stderr', 'b'], ['stderr', 'c'], ['stdout', 'd']]) output.add(stream, text);
  output.flush();
  assert.deepEqual(sent.slice(1), [['stdout', 'a'], ['stderr', 'bc'], ['stdout', 'd']]);
});

test('nothing is sent of nothing', (t) => {
  const { output, sent, tick } = watched(t);
  output.add('stdout', '');
  output.flush();
  tick(10 * BATCH_MS);
  assert.deepEqual(sent, []);
});

test('of a flood the end is shown, the count of what is not, and all of it is kept', (t) => {
  const { output, sent } = watched(t);
  output.add('stdout', '0');
  let text = '';
  for (let n = 0; n < 20_000; n += 1) {
    output.add('stdout', `${n}\n`);
    text += `${n}\n`;
  }
  output.flush();
  assert.deepEqual(sent.slice(1), [
    ['notice', `… ${text.length - BATCH_LIMIT} caracteres omitidos\n`], ['stdout', text.slice(-BATCH_LIMIT)]]);
  assert.equal(output.whole(), `0${text}`);
  assert.equal(output.isLong, true);
});

test('what is kept for download has its cap', (t) => {
  const { output } = watched(t);
  for (let n = 0; n < 6; n += 1) output.add('stdout', 'x'.repeat(999_999)); // no whole number of pieces fits
  assert.equal(output.whole().length, KEEP_LIMIT);
});

test('the next cell starts anew', (t) => {
  const { output, sent } = watched(t);
  output.add('stdout', '0');
  output.add('stdout', 'tarde');
  output.begin();
  assert.deepEqual(sent.at(-1), ['stdout', 'tarde'], 'nothing of the last one is dropped');
  assert.deepEqual([output.whole(), output.isLong], ['', false]);
  output.add('stdout', 'ya');
  assert.deepEqual(sent.at(-1), ['stdout', 'ya'], 'its first line is sent at once');
});

test('characters whose bytes come apart arrive whole, each stream for itself', (t) => {
  const { output } = watched(t);
  const [out, err] = [output.writer('stdout'), output.writer('stderr')];
  const bytes = new TextEncoder().encode('ñ👩‍👩‍👧');
  for (const byte of bytes) {
    assert.equal(out(Uint8Array.of(byte)), 1);
    err(new TextEncoder().encode('e'));
  }
  assert.equal(output.whole().replaceAll('e', ''), 'ñ👩‍👩‍👧');
});

test('whatever is written, what is shown and what is omitted make up the whole', (t) => {
  const random = seeded(19);
  const { output, sent, tick } = watched(t);
  for (let round = 0; round < 30; round += 1) {
    output.begin();
    sent.length = 0;
    for (let n = 0; n < 40; n += 1) {
      output.add(random() < 0.7 ? 'stdout' : 'stderr', 'x'.repeat(Math.floor(random() * random() * 9_000)));
      if (random() < 0.2) tick(Math.floor(random() * 100));
    }
    output.flush();
    const omitted = sent.filter(([stream]) => stream === 'notice').map(([, text]) => Number(text.match(/\d+/)));
    const shown = sent.filter(([stream]) => stream !== 'notice').map(([, text]) => text.length);
    const sum = (/** @type {number[]} */ all) => all.reduce((a, b) => a + b, 0);
    assert.equal(sum(omitted) + sum(shown), output.whole().length);
    assert.ok(Math.max(0, ...shown) <= BATCH_LIMIT);
  }
});
