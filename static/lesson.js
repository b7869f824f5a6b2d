/**
 * The page: finds the nodes, mounts a widget on each, and hands each what it needs.
 */
import { Cell } from './cell/cell.js';
import { chart } from './charts.js';
import { mountExplorer } from './figures/explorer.js';
import { mountHeatmap } from './heatmap.js';
import { Kernel } from '../kernel/page/kernel.js';
import { mountModuleSource } from './page/module_source.js';
import { mountOffline } from './page/offline.js';
import { mountMenu } from './page/menu.js';
import { ModelView } from './figures/model_view.js';
import { mountPractice } from './practice/practice.js';
import { Runner } from './cell/runner.js';
import { mountScrollers } from './page/scrollers.js';
import { mountStatus } from './page/status.js';
import { createStore } from './page/storage.js';

/** @template {HTMLElement} T @param {string} selector @returns {T[]} */
const all = (selector) => [.../** @type {NodeListOf<T>} */ (document.querySelectorAll(selector))];

const { lesson = '', worker = '' } = document.body.dataset;
const runtime = JSON.parse(document.getElementById('runtime')?.textContent ?? '{}');
const kernel = new Kernel({ workerUrl: new URL(worker, document.baseURI).href, runtime });
const store = createStore(lesson);
const status = mountStatus(/** @type {HTMLElement} */ (document.querySelector('[data-kernel-status]')), {
  onRetry: () => kernel.warm(),
});
const runner = new Runner(kernel, { mountHeatmap, chart });

for (const node of all('.cell')) {
  runner.addCell(
    new Cell(node, {
      store,
      onRun: (cell) => runner.run(cell),
      onRunTo: (cell) => runner.runTo(cell),
      onRunNext: (cell) => runner.runNext(cell),
      onStop: () => runner.stop(),
      onIntent: () => kernel.warm(),
      inspect: (question) => kernel.inspect(question),
      loadEditor: () => import('./cell/editor.js'),
      onWarning: (message) => status.warn(message),
    }),
  );
}

for (const node of all('.heatmap')) {
  const { heatmap: name = '', from, sentenceCell } = node.dataset;
  const feed = runner.sentenceFeed(sentenceCell);
  runner.addHeatmap(name, from, mountHeatmap(node, null, feed ? { onSentence: feed } : {}));
}

for (const node of all('[data-explorer]')) mountExplorer(node);
for (const node of all('[data-model-view]')) new ModelView(node, { mountHeatmap });

store.watch((name, edit) => runner.cells.find((cell) => cell.name === name)?.changedElsewhere(edit));
mountOffline(kernel, { say: (message) => status.say(message) });
mountMenu(document, { runner, kernel, lesson, say: (message) => status.say(message) });

mountPractice(document, { runner, kernel, lesson });
mountScrollers(document);
for (const node of all('details[data-module-source]')) mountModuleSource(node);

kernel.addEventListener('state', (event) => status.state(/** @type {CustomEvent} */ (event).detail));
kernel.addEventListener('progress', (event) => status.progress(/** @type {CustomEvent} */ (event).detail));
kernel.addEventListener('notice', (event) => status.warn(/** @type {CustomEvent} */ (event).detail.message));
kernel.addEventListener('lost', (event) => {
  const { variables, cells, message } = /** @type {CustomEvent} */ (event).detail;
  runner.forget(variables);
  if (cells?.length) status.warn(message, 'Ejecutarlas de nuevo', () => runner.runNamed(cells));
  else if (variables === null || variables.length) status.warn(message);
  else status.say(message);
});

for (const details of all('.contents details')) {
  if (matchMedia('(max-width: 71.99rem)').matches) details.removeAttribute('open');
}
