/** When memory is saved, what is said to be lost, and who waits for it: the kernel's bookkeeping. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { Keeper } from '../../kernel/worker/memory.js';
import { Safety } from '../../kernel/page/safety.js';
import { Saving } from '../../kernel/page/saving.js';
import { PATIENCE } from '../../kernel/page/patience.js';
import { words } from '../../kernel/words.js';
import { seeded } from './maps.js';

const REST = 100;
const NOTHING_LOST = { variables: [], cells: [], tasks: 0, files: [] };
const cell = (/** @type {string} */ name) => ({ cell: name, filename: `Celda ${name}` });
const about = (/** @type {string[]} */ names, tasks = 0, changed = true) => ({ names, tasks, changed });
/** A memory that holds these variables. @param {string[]} names @returns {any} */
const memory = (names, tasks = 0, left = []) => ({
  names, tasks, files: { cwd: '/', folders: [], data: [], open: [], left }, packages: [],
});

/** A keeper over a saver that takes `median` ms; what it sent. */
function kept(median = 0, answer = { memory: new ArrayBuffer(8), packages: [], files: { data: [] } }) {
  /** @type {any[]} */
  const sent = [];
  const saver = /** @type {any} */ ({ median, save: () => answer });
  return { keeper: new Keeper(saver, (message) => sent.push(message), REST), saver, sent };
}

test('a changed memory is saved at once while that is quick', () => {
  const { keeper, sent } = kept();
  assert.equal(keeper.ended({ names: ['x'], tasks: 0 }), true);
  keeper.proceed();
  assert.deepEqual(sent.map(({ type, names }) => [type, names]), [['memory', ['x']]]);
  keeper.proceed();
  assert.equal(sent.length, 1, 'saved once');
});

test('an unchanged memory is not saved again', () => {
  const { keeper, sent } = kept();
  assert.equal(keeper.ended(null), false);
  keeper.proceed();
  assert.deepEqual(sent, []);
});

test('beyond 50 ms at the median nobody waits and the page is told', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { keeper, sent } = kept(51);
  assert.equal(keeper.ended({ names: ['x'], tasks: 0 }), false);
  keeper.proceed();
  assert.deepEqual(sent.map(({ type, unsaved }) => [type, unsaved]), [['unsaved', 'slow']]);
  keeper.pause(); // a cell runs
  t.mock.timers.tick(10 * REST);
  assert.equal(sent.length, 1, 'no save while it runs');
  keeper.ended(null);
  keeper.proceed();
  t.mock.timers.tick(REST);
  assert.deepEqual([sent.at(-1).type, sent.at(-1).names], ['memory', ['x']]);
});

test('a memory that cannot be saved is told, with the reason', () => {
  const { keeper, sent } = kept(0, /** @type {any} */ ({ unsaved: 'size', detail: '200 bytes' }));
  keeper.ended({ names: ['x'], tasks: 0 });
  keeper.proceed();
  assert.deepEqual(sent, [{ type: 'unsaved', unsaved: 'size', detail: '200 bytes' }]);
});

test('only what the saved memory lacks is lost', () => {
  const safety = new Safety();
  safety.ran(cell('a'), about(['x']));
  safety.save(memory(['x']));
  safety.ran(cell('b'), about(['x', 'y']));
  assert.deepEqual(safety.restore(), { ...NOTHING_LOST, variables: ['y'], cells: [cell('b')] });
});

test('a cell that changed nothing is not to be run again', () => {
  const safety = new Safety();
  safety.ran(cell('a'), about(['x']));
  safety.save(memory(['x']));
  safety.ran(cell('b'), about(['x'], 0, false));
  assert.deepEqual(safety.restore(), NOTHING_LOST);
});

test('without a memory every cell is to be run again in order', () => {
  const safety = new Safety();
  for (const name of ['a', 'b', 'a']) safety.ran(cell(name), about(['x', 'y']));
  assert.deepEqual(safety.restore(), { ...NOTHING_LOST, variables: ['x', 'y'], cells: [cell('b'), cell('a')] });
});

test('a memory that fails twice is given up', () => {
  const safety = new Safety();
  safety.ran(cell('a'), about(['x']));
  safety.save(memory(['x']));
  const still = [1, 2, 3].map(() => {
    safety.restore();
    return Boolean(safety.saved);
  });
  assert.deepEqual(still, [true, true, false]);
});

test('a cell that ran since shows that the memory is good', () => {
  const safety = new Safety();
  safety.save(memory(['x']));
  for (let n = 0; n < 5; n += 1) {
    safety.ran(cell('a'), about(['x'], 0, false));
    safety.restore();
    assert.ok(safety.saved);
  }
});

test('after a reset nothing is left to lose', () => {
  const safety = new Safety();
  safety.ran(cell('a'), about(['x']));
  safety.save(memory(['x']));
  safety.reset();
  assert.equal(safety.saved, undefined);
  assert.deepEqual(safety.restore(), NOTHING_LOST);
});

test('cancelled tasks name the cell that started them once', () => {
  const safety = new Safety();
  safety.ran(cell('a'), about(['x']));
  safety.ran(cell('b'), about(['t'], 2));
  safety.save(memory(['t'], 2, /** @type {any} */ (['/tmp/grande'])));
  safety.ran(cell('c'), about(['t'], 2, false));
  const loss = safety.restore();
  assert.deepEqual([loss.tasks, loss.cells], [2, [cell('b')]]);
  assert.deepEqual(safety.restore(), NOTHING_LOST);
  const text = words.lost(loss, words.kept);
  for (const part of ['siguen ahí', '2 tareas de asyncio', '«/tmp/grande»', 'Celda b']) assert.ok(text.includes(part), text);
});

test('a loss is told in words: variables, or what the last cells did', () => {
  const many = Array.from({ length: 15 }, (_, k) => `v${k}`);
  assert.match(words.lost({ ...NOTHING_LOST, variables: many }, words.kept), /«v0», .*«v11» y 3 más\.$/);
  const cells = { ...NOTHING_LOST, cells: [cell('a'), cell('b')] };
  assert.match(words.lost(cells, words.kept), /se perdió lo que hicieron las últimas celdas\. .*: Celda a, Celda b\.$/);
  assert.equal(words.lost(NOTHING_LOST, words.kept), words.kept);
  assert.match(words.lost({ ...NOTHING_LOST, tasks: 1 }, ''), /Se canceló una tarea de asyncio/);
});

test('whatever happens, a restore loses what ran since the last memory, and no more', () => {
  const random = seeded(16);
  for (let story = 0; story < 100; story += 1) {
    const safety = new Safety();
    let [names, saved, since] = [new Set(), new Set(), /** @type {string[]} */ ([])];
    safety.save(memory([]));
    for (let step = 0; step < 20; step += 1) {
      const turn = random();
      if (turn < 0.6) {
        const ran = `c${Math.floor(random() * 4)}`;
        names = new Set([...names, `v${Math.floor(random() * 6)}`]);
        since = [...since.filter((name) => name !== ran), ran];
        safety.ran(cell(ran), about([...names]));
      } else if (turn < 0.8) {
        [saved, since] = [names, []];
        safety.save(memory([...names]));
      } else {
        safety.ran(cell('mira'), about([...names], 0, false)); // the memory is good
        const loss = safety.restore();
        assert.deepEqual(loss.variables, [...names].filter((name) => !saved.has(name)));
        assert.deepEqual(loss.cells.map((ran) => ran.cell), since);
        [names, since] = [saved, []];
      }
    }
  }
});

test('nobody waits where no memory is on its way', () => {
  let called = 0;
  new Saving(PATIENCE.saving).wait(() => (called += 1));
  assert.equal(called, 1);
});

test('who waits goes on when the memory comes, once each', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const saving = new Saving(PATIENCE.saving);
  saving.expect(true);
  /** @type {string[]} */
  const called = [];
  saving.wait(() => called.push('a'));
  saving.wait(() => called.push('b'));
  assert.deepEqual(called, []);
  saving.over();
  assert.deepEqual(called, ['a', 'b']);
  t.mock.timers.tick(10_000);
  saving.over();
  assert.deepEqual(called, ['a', 'b']);
});

test('patience runs out before the two seconds that Stop has promised', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const saving = new Saving(PATIENCE.saving);
  saving.expect(true);
  let called = 0;
  saving.wait(() => (called += 1));
  t.mock.timers.tick(1_000);
  assert.equal(called, 0);
  t.mock.timers.tick(999);
  assert.equal(called, 1);
  saving.over();
  assert.equal(called, 1);
});
