/**
 * One cell: its editor, its buttons, its state, its output.
 *
 * The served cell is highlighted code. Here it becomes a plain text area over that code, and, once
 * touched, CodeMirror; each stage can stand alone when the next fails to load.
 */
import { OutputArea } from './output.js';
import { plainEditor } from './plain_editor.js';
import { button, element } from '../shared/dom.js';
import { spanish } from '../shared/numbers.js';

/** @typedef {'idle'|'loading'|'queued'|'running'|'done'|'failed'|'stopped'} CellState */
/**
 * @typedef {object} Editor
 * @property {() => string} get
 * @property {(source: string) => void} set
 * @property {() => void} focus
 * @property {(line: number|null) => void} markLine
 */
/**
 * @typedef {object} EditorOptions
 * @property {string} source
 * @property {[number, number]} selection - offsets
 * @property {string|null} label
 * @property {boolean} walkedIn - the focus came by Tab: the next Tab walks on
 * @property {(source: string) => void} onChange
 * @property {() => void} onRun
 * @property {() => void} onRunNext
 * @property {(question: any) => Promise<any>} inspect - completions and descriptions, or null
 */
/**
 * @typedef {object} CellOptions
 * @property {import('../page/storage.js').Store} store
 * @property {(cell: Cell) => void} onRun
 * @property {(cell: Cell) => void} onRunTo - this cell and all before it
 * @property {(cell: Cell) => void} onRunNext - this cell, then on to the next
 * @property {() => void} onStop
 * @property {(question: any) => Promise<any>} inspect
 * @property {() => void} onIntent - the reader may run soon
 * @property {() => Promise<{createEditor: (host: HTMLElement, options: EditorOptions) => Editor}>} loadEditor
 * @property {(message: string) => void} onWarning
 */

/** @type {Record<CellState, string>} */
const STATUS = {
  idle: '',
  loading: 'Preparando Python…',
  queued: 'En cola…',
  running: 'Ejecutando…',
  done: 'Listo',
  failed: 'Error',
  stopped: 'Detenida',
};
/** @type {CellState[]} */
const BUSY = ['loading', 'queued', 'running'];

export class Cell {
  /** @type {Editor} */
  #editor;
  #started = 0;

  /**
   * @param {HTMLElement} node - the `<section class="cell">`
   * @param {CellOptions} options
   */
  constructor(node, options) {
    this.node = node;
    this.options = options;
    this.name = node.dataset.cell ?? '';
    this.number = Number(node.dataset.number);
    this.filename = node.dataset.filename ?? '';
    this.defines = new Set((node.dataset.defines ?? '').split(' ').filter(Boolean));
    this.uses = new Set((node.dataset.uses ?? '').split(' ').filter(Boolean));
    this.hasRun = false; // in the kernel that lives now
    this.code = this.#find('.cell-editor pre');
    this.original = this.code.textContent ?? '';
    this.output = new OutputArea(this.#find('.cell-output'));
    this.#wireButtons();
    const edit = options.store.load(this.name);
    this.#editor = this.#plain(edit?.source ?? this.original);
    this.#edited(this.source);
    if (edit && edit.base !== this.original && edit.source !== this.original) {
      this.offer(
        'La lección ha cambiado esta celda desde que la editaste. Aquí sigue tu versión.',
        this.original,
        'Ver la de la lección',
      );
    }
  }

  /** What to take along. @returns {import('../page/edits.js').CellText} */
  get text() {
    const { name, number, source } = this;
    const title = this.#find('.cell-title').textContent ?? '';
    return { name, number, title, source, edited: source !== this.original };
  }

  /**
   * Offer another version of this cell beside the reader's; nothing is lost by taking it.
   * @param {string} message
   * @param {string} source
   * @param {string} label - of the button that takes it
   */
  offer(message, source, label) {
    this.#find('.cell-offer')?.remove();
    if (source === this.source) return;
    const bar = element('div', 'cell-offer');
    bar.setAttribute('role', 'status');
    const take = button(label, () => {
      const mine = this.source;
      this.replace(source);
      this.offer('La otra versión sigue a mano.', mine, 'Volver a ella');
    });
    bar.append(element('p', '', message), take, button('Cerrar', () => bar.remove()));
    this.#find('.cell-bar').after(bar);
  }

  /**
   * Another tab saved this cell.
   * @param {import('../page/storage.js').Edit|null} edit
   */
  changedElsewhere(edit) {
    const source = edit?.source ?? this.original;
    this.offer('Esta celda se ha editado en otra pestaña.', source, 'Traer esa versión');
  }

  /** @param {string} selector @returns {HTMLElement} */
  #find(selector) {
    return /** @type {HTMLElement} */ (this.node.querySelector(selector));
  }

  /** @param {string} action */
  #button(action) {
    return this.#find(`[data-action="${action}"]`);
  }

  get source() {
    return this.#editor.get();
  }

  /** @returns {CellState} */
  get state() {
    return /** @type {CellState} */ (this.node.dataset.state);
  }

  /** It runs, or is about to. */
  get busy() {
    return BUSY.includes(this.state);
  }

  /** @param {CellState} state */
  setState(state) {
    this.node.dataset.state = state;
    let status = STATUS[state];
    if (state === 'running') this.#started = performance.now();
    if (state === 'done') status += ` · ${seconds(performance.now() - this.#started)}`;
    this.#find('.cell-status').textContent = status;
    this.#button('run').setAttribute('aria-disabled', String(this.busy));
    this.#button('stop').setAttribute('aria-disabled', String(!this.busy));
    this.output.node.setAttribute('aria-busy', String(state === 'running'));
  }

  /** A run starts: the old output goes. */
  begin() {
    this.output.clear();
    this.#editor.markLine(null);
  }

  /** @param {import('../../kernel/protocol.js').Outcome} outcome */
  finish(outcome) {
    this.output.finish(outcome, this.filename);
    if (outcome.status === 'done') {
      this.hasRun = true;
      this.setState('done');
      return;
    }
    // Python itself has answered the Stop, so what the cell had defined is there.
    if (outcome.kind === 'stopped' && outcome.traceback) this.hasRun = true;
    if (outcome.kind === 'python') this.#editor.markLine(outcome.line);
    this.setState(outcome.kind === 'stopped' ? 'stopped' : 'failed');
  }

  /** @param {string} source */
  replace(source) {
    this.#editor.set(source);
    this.#changed(source);
  }

  focus() {
    this.#editor.focus();
  }

  #wireButtons() {
    /** @param {string} action @param {() => void} act */
    const on = (action, act) =>
      this.#button(action).addEventListener('click', (event) => {
        const button = /** @type {HTMLElement} */ (event.currentTarget);
        if (button.getAttribute('aria-disabled') !== 'true') act();
      });
    on('run', () => this.options.onRun(this));
    on('stop', () => this.options.onStop());
    on('reset', () => this.replace(this.original));
    on('run-to', () => this.options.onRunTo(this));
    on('run-next', () => this.options.onRunNext(this));
    for (const type of ['pointerenter', 'focus']) {
      this.#button('run').addEventListener(type, () => this.options.onIntent());
    }
  }

  /** @param {string} source @returns {Editor} */
  #plain(source) {
    return plainEditor(this.#find('.cell-editor'), {
      source,
      onChange: (text) => this.#changed(text),
      onRun: () => this.options.onRun(this),
      onRunNext: () => this.options.onRunNext(this),
      onFocus: (area) => {
        this.options.onIntent();
        this.#upgrade(area).catch((error) => console.warn('editor:', error));
      },
    });
  }

  #upgrading = false;

  /**
   * Put CodeMirror in the text area's place, text, selection and focus kept.
   * @param {HTMLTextAreaElement} area
   */
  async #upgrade(area) {
    if (this.#upgrading) return;
    this.#upgrading = true;
    let composing = false;
    let touched = area.matches(':active');
    for (const type of ['pointerdown', 'keydown', 'input']) {
      area.addEventListener(type, () => (touched = true));
    }
    area.addEventListener('compositionstart', () => (composing = true));
    try {
      const { createEditor } = await this.options.loadEditor();
      if (composing) {
        await new Promise((done) => area.addEventListener('compositionend', done, { once: true }));
      }
      const focused = document.activeElement === area;
      const host = this.#find('.cell-editor');
      const editor = createEditor(host, {
        source: area.value,
        selection: [area.selectionStart, area.selectionEnd],
        label: area.getAttribute('aria-label'),
        walkedIn: !touched,
        onChange: (/** @type {string} */ text) => this.#changed(text),
        onRun: () => this.options.onRun(this),
        onRunNext: () => this.options.onRunNext(this),
        inspect: this.options.inspect,
      });
      this.#editor = editor;
      area.remove();
      host.classList.replace('has-input', 'has-editor');
      if (focused) editor.focus();
    } catch (error) {
      this.#upgrading = false; // the text area goes on working
      throw error;
    }
  }

  /** @param {string} source */
  #changed(source) {
    const edit = source === this.original ? null : { source, base: this.original };
    if (!this.options.store.save(this.name, edit)) {
      this.options.onWarning('El navegador no deja guardar: tus cambios se perderán al cerrar.');
    }
    this.#edited(source);
  }

  /** Show whether the text is the lesson's own; keep the printed code in step. */
  #edited(/** @type {string} */ source) {
    const edited = source !== this.original;
    this.#find('.cell-edited').hidden = !edited;
    this.node.classList.toggle('is-edited', edited);
    if (this.code.textContent !== source) this.code.textContent = source;
  }
}

/** @param {number} ms */
const seconds = (ms) => `${spanish(ms / 1000, ms < 1000 ? 2 : 1, 0)} s`;
