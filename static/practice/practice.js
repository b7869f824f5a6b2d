/**
 * What the reader practises with: mounts exercises, questions and the gallery of bugs, and hands
 * each what it needs of the runner and of what is kept.
 */
import { mountContents } from './contents.js';
import { Exercise } from './exercise.js';
import { Gallery } from './gallery.js';
import { createProgress } from './progress.js';
import { mountQuiz } from './quiz.js';

/**
 * @typedef {import('../cell/cell.js').Cell} Cell
 * @typedef {import('./progress.js').Kind} Kind
 * @typedef {import('./contents.js').Task} Task
 */

/**
 * @param {ParentNode} root
 * @param {{runner: import('../cell/runner.js').Runner, kernel: import('../../kernel/page/kernel.js').Kernel, lesson: string}} tools
 */
export function mountPractice(root, { runner, kernel, lesson }) {
  const progress = createProgress(lesson);
  /** @param {string} selector @returns {HTMLElement[]} */
  const all = (selector) => [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector))];
  const exercises = all('.exercise[data-exercise]').filter((node) => node.querySelector('.exercise-check'));
  const bugs = all('.bug');
  const questions = all('form.quiz').filter((form) => !form.closest('.bug'));

  const mounted = exercises.map((node) => {
    const name = node.dataset.exercise ?? '';
    const exercise = mountExercise(node, name);
    return () => exercise.update(progress.get('exercise', name));
  });

  /** @param {HTMLElement} node @param {string} name */
  function mountExercise(node, name) {
    const cell = runner.cells.find((one) => node.contains(one.node));
    return new Exercise(node, {
      kept: progress.get('exercise', name),
      keep: (kept) => progress.set('exercise', name, kept),
      runCell: async () => (cell ? runCell(cell) : 'done'),
      evaluate: (source, title) => tryOut(source, title, cell),
      stop: () => runner.stop(),
      onIntent: () => kernel.warm(),
    });
  }

  /**
   * Run a check; where the answer calls for a name of an earlier cell that hasn't run, run that one.
   * @param {string} source @param {string} title @param {Cell|undefined} cell
   */
  async function tryOut(source, title, cell) {
    const earlier = cell ? runner.cells.slice(0, runner.cells.indexOf(cell)) : [];
    for (;;) {
      const outcome = await runner.evaluate(source, title);
      const { missing } = outcome.status === 'done' ? JSON.parse(outcome.result ?? '{}') : {};
      const definer = missing && earlier.findLast((one) => one.defines.has(missing) && !one.hasRun);
      if (!definer) return outcome;
      await runner.run(definer);
      if (!definer.hasRun) return outcome;
    }
  }

  /** @param {Cell} cell @returns {Promise<'done'|'failed'|'stopped'|'busy'>} */
  async function runCell(cell) {
    if (cell.busy) return 'busy';
    await runner.run(cell);
    return cell.state === 'done' || cell.state === 'stopped' ? cell.state : 'failed';
  }

  const gallery = bugs.length
    ? new Gallery(bugs, {
        seen: (name) => Boolean(progress.get('bug', name).done),
        ready: () => kernel.state === 'ready' || kernel.state === 'running',
        compute,
      })
    : null;

  /**
   * Compute a bug's outcome with the cell as it is now.
   * @param {HTMLElement} section @param {boolean} again
   */
  async function compute({ dataset: { from = '', run = '' } }, again) {
    const cell = runner.cells.find((one) => one.name === from);
    if (cell && (again || !cell.hasRun) && (await runCell(cell)) !== 'done') {
      throw new Error(`la celda ${cell.number} no ha terminado bien.`);
    }
    const outcome = await runner.evaluate(run, 'galería');
    if (outcome.status === 'failed') throw new Error(outcome.message);
    const maps = outcome.display.filter(({ kind }) => kind === 'matrix');
    return { text: outcome.text, maps: maps.map(({ payload }) => /** @type {any} */ (payload)) };
  }

  for (const form of [...questions, ...bugs.map((bug) => bug.querySelector('form'))]) {
    if (form instanceof HTMLFormElement) ask(form);
  }

  /** @param {HTMLFormElement} form */
  function ask(form) {
    const name = form.dataset.quiz ?? '';
    const bug = form.closest('.bug') !== null;
    const kind = bug ? 'bug' : 'quiz';
    mountQuiz(form, {
      answer: progress.get(kind, name).answer,
      onAnswer: (answer, right) => {
        const done = bug ? answer !== null : right;
        progress.set(kind, name, answer === null ? {} : { answer, done });
        if (bug) gallery?.answered(name, answer !== null);
      },
    });
  }

  const titles = (/** @type {HTMLElement} */ node) =>
    node.querySelector('.exercise-title')?.textContent?.trim() ?? '';
  /** @type {(kind: Kind, node: HTMLElement, one: string, many: string, title?: string) => Task} */
  const task = (kind, node, one, many, title) => {
    const name = node.dataset.exercise ?? node.dataset.quiz ?? node.dataset.bug ?? '';
    return { node, one, many, title, done: () => Boolean(progress.get(kind, name).done) };
  };
  const contents = /** @type {HTMLElement|null} */ (root.querySelector('.contents'));
  const shown = contents && mountContents(contents, [
    ...exercises.map((node) => task('exercise', node, 'ejercicio', 'ejercicios', titles(node))),
    ...bugs.map((node) => task('bug', node, 'error', 'errores')),
    ...questions.map((node) => task('quiz', node, 'pregunta', 'preguntas')),
  ]);
  const update = () => {
    shown?.update();
    gallery?.update();
  };
  update();
  progress.watch(() => {
    mounted.forEach((refresh) => refresh());
    update();
  });
}
