/** The queue: one cell at a time, each settled once, late messages dropped; and how Stop presses. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { Interrupt } from '../../kernel/page/interrupt.js';
import { DEFAULTS, Jobs } from '../../kernel/page/jobs.js';
import { failure } from '../../kernel/outcomes.js';

const job = (/** @type {string} */ cell) =>
  /** @type {const} */ ({ ...DEFAULTS, type: 'run', cell, filename: cell, source: '' });
const done = (/** @type {any[]} */ ...display) =>
  /** @type {const} */ ({ status: 'done', result: null, display });

test('cells run in the order in which they were asked for', async () => {
  const jobs = new Jobs();
  const outcomes = ['a', 'b'].map((cell) => jobs.add(job(cell)));
  assert.equal(jobs.running, null);
  for (const cell of ['a', 'b']) {
    assert.equal(jobs.next()?.cell, cell);
    jobs.settleRunning(done(cell));
    assert.equal(jobs.running, null);
  }
  assert.equal(jobs.next(), null);
  assert.deepEqual((await Promise.all(outcomes)).map(({ display }) => display), [['a'], ['b']]);
});

test('a message about a job that was stopped is dropped', () => {
  const jobs = new Jobs();
  void jobs.add(job('a'));
  void jobs.add(job('b'));
  const first = jobs.next();
  assert.equal(jobs.current(/** @type {any} */ (first).id), first);
  jobs.settleRunning(failure('stopped', 'Detenida', 'x'));
  assert.equal(jobs.current(/** @type {any} */ (first).id), null);
  const second = jobs.next();
  assert.equal(jobs.current(/** @type {any} */ (first).id), null);
  assert.equal(jobs.current(/** @type {any} */ (second).id), second);
});

test('what a cell has shown so far stays with its outcome', async () => {
  const jobs = new Jobs();
  const outcome = jobs.add(job('a'));
  /** @type {any} */ (jobs.next()).displays = ['figura'];
  jobs.settleRunning({ ...failure('stopped', 'Detenida', 'x'), display: ['última'] });
  assert.deepEqual((await outcome).display, ['figura', 'última']);
});

test('a stopped queue settles all who wait, and only them', async () => {
  const jobs = new Jobs();
  const [first, ...rest] = ['a', 'b', 'c'].map((cell) => jobs.add(job(cell)));
  jobs.next();
  jobs.settleWaiting(failure('stopped', 'Detenida', 'x'));
  const outcomes = await Promise.all(rest);
  assert.deepEqual(outcomes.map(({ status }) => status), ['failed', 'failed']);
  assert.notEqual(outcomes[0], outcomes[1], 'nobody shares an outcome');
  assert.equal(jobs.next(), null);
  assert.equal(await Promise.race([first.then(() => 'settled'), Promise.resolve('open')]), 'open');
});

test('with nothing running there is nothing to settle', () => {
  new Jobs().settleRunning(done());
});

test('where the page is not isolated and the cell does not await, Stop is told at once', () => {
  const interrupt = new Interrupt();
  assert.equal(interrupt.buffer, undefined);
  let deaf = 0;
  interrupt.press(() => (deaf += 1));
  assert.deepEqual([deaf, interrupt.pressed], [1, false]);
});

/** An isolated page's interrupt on a clock that only `tick` moves. @param {import('node:test').TestContext} t */
function pressing(t) {
  let now = 0;
  /** @type {(() => void)|undefined} */
  let beat; // one interval at a time; Node 20's own stand-in goes on when cleared from within
  t.mock.method(performance, 'now', () => now);
  t.mock.method(globalThis, 'setInterval', (/** @type {() => void} */ act) => ((beat = act), 1));
  t.mock.method(globalThis, 'clearInterval', () => (beat = undefined));
  const interrupt = new Interrupt();
  interrupt.buffer = new SharedArrayBuffer(4);
  const tick = (/** @type {number} */ ms) => {
    for (const end = now + ms; now < end;) {
      now += 50;
      beat?.();
    }
  };
  return { interrupt, signal: new Int32Array(interrupt.buffer), tick };
}

test('a press that gets lost is repeated, until Python has stopped', (t) => {
  const { interrupt, signal, tick } = pressing(t);
  let deaf = 0;
  interrupt.press(() => (deaf += 1));
  assert.deepEqual([signal[0], interrupt.pressed], [2, true]);
  signal[0] = 0; // seen, and lost
  tick(60);
  assert.equal(signal[0], 2);
  interrupt.release();
  assert.deepEqual([signal[0], interrupt.pressed], [0, false]);
  tick(5_000);
  assert.deepEqual([signal[0], deaf], [0, 0]);
});

test('who does not hear within a second is deaf, told once', (t) => {
  const { interrupt, signal, tick } = pressing(t);
  let deaf = 0;
  interrupt.press(() => (deaf += 1));
  tick(900);
  assert.equal(deaf, 0);
  tick(5_000);
  assert.deepEqual([deaf, signal[0], interrupt.pressed], [1, 0, false]);
});

test('a cell that awaits is cancelled also where the page is not isolated', (t) => {
  const { interrupt, tick } = pressing(t);
  interrupt.buffer = undefined;
  let [cancelled, deaf] = [0, 0];
  interrupt.press(() => (deaf += 1), () => (cancelled += 1));
  assert.deepEqual([cancelled, deaf, interrupt.pressed], [1, 0, true]);
  tick(2_000);
  assert.equal(deaf, 1);
});
