/**
 * One exercise: try out what the reader wrote, say what came of it, give hints one by one and the
 * solution last. The check's Python was written by the builder; its result is a verdict as JSON.
 *
 * @typedef {{state: 'right'|'wrong'|'unwritten', message: string, call: string, got: string,
 *   expected: string, missing: string}} Verdict
 * @typedef {import('../../kernel/protocol.js').Outcome} Outcome
 * @typedef {{hints?: number, tried?: boolean, done?: boolean}} Kept
 * @typedef {object} ExerciseOptions
 * @property {Kept} kept - from an earlier visit
 * @property {(kept: Kept) => void} keep
 * @property {() => Promise<'done'|'failed'|'stopped'|'busy'>} runCell - the reader's, as it is now
 * @property {(source: string, title: string) => Promise<Outcome>} evaluate
 * @property {() => void} stop
 * @property {() => void} onIntent - the reader may run soon
 */
import { element } from '../shared/dom.js';

const LEADS = { right: 'Correcto.', wrong: 'Todavía no.', unwritten: '' };
const UNFINISHED = {
  failed: 'La celda da un error: lo tienes en su salida. Arréglalo y comprueba otra vez.',
  stopped: 'Comprobación detenida.',
  busy: 'La celda se está ejecutando. Comprueba cuando termine.',
};

export class Exercise {
  /** @type {'idle'|'running'} */
  #state = 'idle';

  /**
   * @param {HTMLElement} node - the `<section class="exercise">`
   * @param {ExerciseOptions} options
   */
  constructor(node, options) {
    this.node = node;
    this.options = options;
    this.kept = options.kept;
    this.source = JSON.parse(node.querySelector('.exercise-check')?.textContent ?? '{}').source;
    this.result = /** @type {HTMLElement} */ (node.querySelector('.exercise-result'));
    this.check = /** @type {HTMLElement} */ (node.querySelector('[data-action="check"]'));
    this.hint = /** @type {HTMLElement|null} */ (node.querySelector('[data-action="hint"]'));
    this.hints = /** @type {HTMLDetailsElement[]} */ ([...node.querySelectorAll('details.hint')]);
    this.check.addEventListener('click', () => this.#pressed());
    for (const type of ['pointerenter', 'focus']) {
      this.check.addEventListener(type, () => options.onIntent());
    }
    this.hint?.addEventListener('click', () => this.#nextHint());
    /** @type {HTMLElement} */ (node.querySelector('.exercise-tools')).hidden = false;
    this.#show();
  }

  #pressed() {
    if (this.#state === 'running') this.options.stop();
    else this.#try().catch((error) => this.#say('wrong', String(error)));
  }

  async #try() {
    this.#busy(true);
    this.result.dataset.state = 'running';
    this.result.replaceChildren(element('p', '', 'Comprobando…'));
    try {
      const ended = await this.options.runCell();
      if (ended !== 'done') {
        this.#say('unwritten', UNFINISHED[ended]);
        return;
      }
      const outcome = await this.options.evaluate(this.source, 'comprobación');
      if (outcome.status === 'done') this.#tell(JSON.parse(outcome.result ?? '{}'));
      else this.#say('unwritten', outcome.kind === 'stopped' ? UNFINISHED.stopped : outcome.message);
    } finally {
      this.#busy(false);
    }
  }

  /** @param {boolean} running */
  #busy(running) {
    this.#state = running ? 'running' : 'idle';
    this.check.textContent = running ? 'Detener' : 'Comprobar';
    this.result.setAttribute('aria-busy', String(running));
  }

  /** @param {Verdict} verdict */
  #tell({ state, message, call, got, expected }) {
    const comparison = element('dl');
    for (const [name, text] of [['Prueba', call], ['Ha salido', got], ['Se esperaba', expected]]) {
      if (!text) continue;
      const row = element('div');
      const value = element('dd');
      const code = element('pre', '', text);
      if (text.includes('\n') || text.length > 30) code.tabIndex = 0;
      value.append(code);
      row.append(element('dt', '', name), value);
      comparison.append(row);
    }
    this.#say(state, message, state === 'wrong' && comparison.childElementCount ? comparison : null);
    const tried = state !== 'unwritten' || this.kept.tried;
    this.#keep({ ...this.kept, tried, done: this.kept.done || state === 'right' });
  }

  /**
   * @param {Verdict['state']} state
   * @param {string} message - backticks mark code, asterisks a foreign word
   * @param {HTMLElement|null} [detail]
   */
  #say(state, message, detail = null) {
    const line = element('p');
    if (LEADS[state]) line.append(element('strong', '', LEADS[state]), ' ');
    line.append(...marked(message));
    this.result.dataset.state = state;
    this.result.replaceChildren(line, ...(detail ? [detail] : []));
  }

  #nextHint() {
    const shown = (this.kept.hints ?? 0) + 1;
    this.#keep({ ...this.kept, hints: shown });
    const next = this.hints[shown - 1];
    next.open = true;
    next.querySelector('summary')?.focus();
  }

  /** @param {Kept} kept */
  #keep(kept) {
    this.kept = kept;
    this.options.keep(kept);
    this.#show();
  }

  /** Another tab may have gone further. @param {Kept} kept */
  update(kept) {
    this.kept = kept;
    this.#show();
  }

  /** Show what is earned so far: hints, then the solution. */
  #show() {
    const { hints = 0, tried = false, done = false } = this.kept;
    this.hints.forEach((hint, i) => (hint.hidden = i >= hints));
    if (this.hint) {
      this.hint.hidden = hints >= this.hints.length;
      this.hint.textContent = `Pista ${hints + 1} de ${this.hints.length}`;
    }
    const solution = /** @type {HTMLElement|null} */ (this.node.querySelector('details.solution'));
    if (solution) solution.hidden = !(done || tried || hints >= this.hints.length);
    const mark = /** @type {HTMLElement} */ (this.node.querySelector('.exercise-done'));
    mark.hidden = !done;
    this.node.classList.toggle('is-done', done);
  }
}

/** @param {string} message @returns {(string|HTMLElement)[]} */
function marked(message) {
  return message.split(/(`[^`]+`|\*[^*\s]+\*)/).map((part) => {
    if (/^`.+`$/.test(part)) return element('code', '', part.slice(1, -1));
    return /^\*.+\*$/.test(part) ? element('em', '', part.slice(1, -1)) : part;
  });
}
