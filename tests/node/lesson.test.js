/** The page's own pure parts: errors in Spanish, and the reader's edits in a link, a file, a notebook. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { fromHash, toHash, toNotebook, toPython } from '../../static/page/edits.js';
import { explain } from '../../static/cell/explain.js';
import { createProgress } from '../../static/practice/progress.js';
import { createStore } from '../../static/page/storage.js';
import { seeded } from './maps.js';

/** Python's words, as CPython 3.14 and NumPy 2 write them, and part of what is made of them. */
const ERRORS = /** @type {const} */ ([
  ['NameError', "name 'np' is not defined", '«np»: revisa cómo está escrita'],
  ['NameError', "name 'pesos' is not defined. Did you mean: 'peso'?", '¿Querías decir «peso»?'],
  ['UnboundLocalError', "cannot access local variable 'x' where it is not associated with a value", 'usa «x» antes'],
  ['ValueError', 'matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 4 is different from 3)',
    'son 3 y 4'],
  ['ValueError', 'shapes (2,3) and (2,3) not aligned: 3 (dim 1) != 2 (dim 0)', 'formas (2,3) y (2,3)'],
  ['ValueError', 'operands could not be broadcast together with shapes (2,3) (4,) ', 'encajan elemento a elemento: (2,3) (4,).'],
  ['ValueError', 'cannot reshape array of size 6 into shape (4,)', 'tiene 6 elementos'],
  ['AxisError', 'axis 2 is out of bounds for array of dimension 2', 'tiene 2 ejes, numerados desde 0, y se pide el 2'],
  ['IndexError', 'index 5 is out of bounds for axis 0 with size 3', 'valen de 0 a 2'],
  ['IndexError', 'list index out of range', 'len(...) − 1'],
  ['KeyError', "'gato'", "la clave 'gato'"],
  ['AttributeError', "'NoneType' object has no attribute 'shape'", '¿Falta un return?'],
  ['AttributeError', "'numpy.ndarray' object has no attribute 'softmax'", 'np.softmax(...)'],
  ['TypeError', "unsupported operand type(s) for @: 'int' and 'float'", '@ multiplica arrays'],
  ['TypeError', "unsupported operand type(s) for +: 'int' and 'str'", '«+» no sabe operar con int y str.'],
  ['TypeError', "f() missing 2 required positional arguments: 'a' and 'b'", "'a' y 'b'"],
  ['TypeError', 'f() takes 1 positional argument but 2 were given', 'ha recibido 2 argumentos'],
  ['ZeroDivisionError', 'division by zero', 'entre cero'],
  ['MemoryError', '', 'No cabe en la memoria'],
  ['SyntaxError', "'(' was never closed", 'Se abre «(»'],
  ['SyntaxError', 'invalid syntax', 'no entiende la línea'],
  ['SyntaxError', 'invalid syntax. Perhaps you forgot a comma?', '¿Falta una coma'],
  ['AssertionError', '', 'ha salido falsa'],
]);

for (const [name, message, part] of ERRORS) {
  test(`«${name}: ${message.slice(0, 50)}» is said in Spanish`, () => {
    const said = explain({ name, message });
    assert.ok(said?.includes(part), String(said));
  });
}

test('Python’s own suggestion is read from the traceback’s last line', () => {
  const traceback = "Traceback (most recent call last):\nNameError: name 'pesos' is not defined. Did you mean: 'peso'?";
  assert.match(String(explain({ name: 'NameError', message: "name 'pesos' is not defined", traceback })), /«pesos»/);
});

test('what is not known is left to Python’s own words', () => {
  for (const [name, message] of [['OSError', 'x'], ['MiError', "name 'x' is not defined"], ['ValueError', 'otra cosa'], ['AssertionError', 'dicho']]) {
    assert.equal(explain({ name, message, traceback: `Traceback …\n${name}: ${message}` }), null);
  }
});

const cell = (/** @type {string} */ name, /** @type {string} */ source, edited = true) =>
  ({ name, source, edited, number: 1, title: 'Título' });

test('a link carries the edited cells, whatever is in them', async () => {
  const random = seeded(20);
  const alphabet = [...'a=1 \n"\'\\#&%+/ñ«»', '🙂', '</script>', '\u0000'];
  for (let round = 0; round < 50; round += 1) {
    const cells = ['uno', 'dos', 'tres'].map((name) => cell(name,
      Array.from({ length: Math.floor(random() * 200) }, () => alphabet[Math.floor(random() * alphabet.length)]).join(''),
      random() < 0.7));
    const hash = await toHash(cells);
    assert.match(hash, /^celdas=[\w-]+$/, 'nothing that an address would encode');
    const edited = cells.filter((c) => c.edited).map((c) => [c.name, c.source]);
    assert.deepEqual(await fromHash(`#${hash}`), Object.fromEntries(edited));
  }
});

test('an address without cells, or with broken ones, carries none', async () => {
  for (const hash of ['', '#seccion', '#mapa=m&cabeza=2', '#celdas=', '#celdas=abc', '#celdas=____']) {
    assert.equal(await fromHash(hash), null, hash);
  }
});

test('the cells are one Python file in percent format', () => {
  assert.equal(toPython([cell('a', 'x = 1'), cell('b', 'y = 2')]),
    '# %% Celda 1: Título\nx = 1\n\n# %% Celda 1: Título\ny = 2\n');
});

test('the notebook gets the reader’s sources, and keeps all else', () => {
  const notebook = {
    metadata: { kernelspec: {} }, nbformat: 4,
    cells: [
      { cell_type: 'markdown', source: 'texto', metadata: { name: 'a' } },
      { cell_type: 'code', source: 'viejo', metadata: { name: 'a' }, outputs: [] },
      { cell_type: 'code', source: 'suyo', metadata: {} },
    ],
  };
  const before = structuredClone(notebook);
  const made = JSON.parse(toNotebook(notebook, [cell('a', 'nuevo'), cell('b', 'sin sitio')]));
  assert.deepEqual(notebook, before);
  assert.deepEqual(made, {
    ...before, cells: [before.cells[0], { ...before.cells[1], source: 'nuevo' }, before.cells[2]] });
});

test('what an earlier visit stored is found again: its names in the storage never change', (t) => {
  const kept = new Map([
    ['leccion:31_multihead:construir', '{"source":"x = 1","base":"x = 0"}'],
    ['progreso:31_multihead', '{"quiz:escala":{"answer":"√d_k","done":true}}'],
  ]);
  const page = { localStorage: { getItem: (/** @type {string} */ key) => kept.get(key) ?? null }, addEventListener() {} };
  for (const [name, value] of Object.entries(page)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    t.after(() => before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name));
  }
  assert.deepEqual(createStore('31_multihead').load('construir'), { source: 'x = 1', base: 'x = 0' });
  assert.deepEqual(createProgress('31_multihead').get('quiz', 'escala'), { answer: '√d_k', done: true });
});
