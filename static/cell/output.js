/**
 * A cell's output area: streamed text in bounded DOM, the result, the error, the pictures.
 * Everything goes in as text, never as markup.
 */
import { explain } from './explain.js';
import { element } from '../shared/dom.js';

const MAX_LINES = 500;
const MAX_CHARACTERS = 100_000;
const MAX_PIECES = 60; // runs of one stream
const FRAME_MS = 16;

/** Text as a terminal leaves it: a carriage return goes back to the start of its line. */
class Terminal {
  #done = '';
  #line = '';
  #column = 0;

  /** @param {string} text @returns {string} all that is kept */
  write(text) {
    for (const [piece] of text.matchAll(/[\r\n]|[^\r\n]+/g)) {
      if (piece === '\n') {
        this.#done += `${this.#line}\n`;
        this.#line = '';
        this.#column = 0;
      } else if (piece === '\r') this.#column = 0;
      else {
        const end = this.#column + piece.length;
        this.#line = this.#line.slice(0, this.#column) + piece + this.#line.slice(end);
        this.#column = end;
      }
    }
    return this.#done + this.#line;
  }

  /** Keep the end only, where it has grown too long to show. @returns {boolean} whether it had */
  trim() {
    const lines = this.#done.split('\n');
    const kept = lines.slice(-MAX_LINES).join('\n').slice(-MAX_CHARACTERS);
    const line = this.#line.slice(-MAX_CHARACTERS);
    const cut = kept.length < this.#done.length || line.length < this.#line.length;
    this.#column -= this.#line.length - line.length;
    this.#done = kept;
    this.#line = line;
    return cut;
  }

  get text() {
    return this.#done + this.#line;
  }
}

/** The output area of one cell. */
export class OutputArea {
  /** @type {{stream: string, text: string}[]} */
  #pending = [];
  #frame = 0;
  #flushed = 0;
  /** @type {HTMLElement|null} */
  #last = null;
  #terminal = new Terminal();
  /** @type {Map<string, Element>} */
  #pictures = new Map();
  /** @type {Map<string, {update: (payload: any) => void}>} */
  #heatmaps = new Map();
  /** Whether some of what was printed is not shown. */
  cut = false;

  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
  }

  /** Empty it for a new run. */
  clear() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#pending = [];
    this.#last = null;
    this.cut = false;
    this.#pictures.clear();
    this.#heatmaps.clear();
    delete this.node.dataset.stored;
    this.node.replaceChildren();
  }

  /**
   * Add printed text: drawn at once after a pause, once a frame however much comes.
   * @param {{stream: string, text: string}} part
   */
  write(part) {
    this.#pending.push(part);
    if (this.#frame) return;
    if (performance.now() - this.#flushed >= FRAME_MS) this.flush();
    else this.#frame = requestAnimationFrame(() => this.flush());
  }

  /** Draw what waits. */
  flush() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const { stream, text } of this.#pending) this.#append(stream, text);
    this.#pending = [];
    this.#flushed = performance.now();
  }

  /** @param {string} stream @param {string} text */
  #append(stream, text) {
    if (!text) return;
    const ours = stream === 'notice'; // a line of ours within what the cell printed
    if (!this.#last || !(ours || this.#last.classList.contains(stream))) {
      this.#last = element('pre', `stream ${ours ? 'stdout' : stream}`);
      this.#terminal = new Terminal();
      this.node.append(this.#last);
    }
    this.#terminal.write(text);
    const cut = this.#terminal.trim() || ours;
    this.#last.textContent = this.#terminal.text;
    if (cut && !this.cut) {
      this.cut = true;
      this.node.prepend(element('p', 'output-notice', 'Salida larga: se muestra el final.'));
    }
    while (this.node.childElementCount > MAX_PIECES) this.node.children[1].remove();
  }

  /**
   * Show how a run ended.
   * @param {import('../../kernel/protocol.js').Outcome} outcome
   * @param {string} title - the cell's name, for the error's place
   */
  finish(outcome, title) {
    this.flush();
    this.node.querySelector('.cell-ask')?.remove();
    if (outcome.status === 'failed') this.#fail(outcome, title);
    else if (outcome.result !== null) this.node.append(element('pre', 'result', outcome.result));
    for (const pre of /** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll('pre'))) {
      if (pre.scrollHeight > pre.clientHeight) pre.tabIndex = 0; // the keyboard can scroll it
    }
  }

  /** @param {import('../../kernel/protocol.js').Failed} outcome @param {string} title */
  #fail(outcome, title) {
    const box = element('div', 'cell-error');
    const message = element('p', 'error-message');
    if (outcome.kind === 'python') {
      message.append(element('strong', '', outcome.name), outcome.message ? `: ${outcome.message}` : '');
    } else message.append(outcome.message || outcome.name);
    box.append(message);
    const help = outcome.kind === 'python' ? explain(outcome) : null;
    if (help) box.append(element('p', 'error-help', help));
    if (outcome.line !== null && outcome.line !== undefined) {
      box.append(element('p', 'error-place', `${title}, línea ${outcome.line}`));
    }
    if (outcome.traceback && outcome.kind === 'python') {
      const trace = element('details', 'error-trace');
      const text = element('pre', '', outcome.traceback);
      text.tabIndex = 0;
      trace.append(element('summary', '', 'Traza de Python'), text);
      box.append(trace);
    }
    this.node.append(box);
  }

  /**
   * Put a picture in, in the place of the one of that name that this run drew before.
   * @param {string} name
   * @param {() => Element} draw
   */
  picture(name, draw) {
    const old = this.#pictures.get(name);
    const made = draw();
    if (old) old.replaceWith(made);
    else this.node.append(made);
    this.#pictures.set(name, made);
  }

  /**
   * Put a heatmap in, or redraw the one of that title that this run drew before.
   * @param {{title: string}} payload
   * @param {(slot: HTMLElement) => {update: (payload: any) => void}} mount
   */
  heatmap(payload, mount) {
    const old = this.#heatmaps.get(payload.title);
    if (old) {
      old.update(payload);
      return;
    }
    const slot = element('div', 'heatmap');
    this.node.append(slot);
    this.#heatmaps.set(payload.title, mount(slot));
  }

  /**
   * Ask the reader what the cell's `input` wants to know.
   * @param {string} prompt
   * @returns {Promise<string>}
   */
  ask(prompt) {
    this.flush();
    const form = element('form', 'cell-ask');
    const label = element('label', '', prompt || 'La celda espera una respuesta:');
    const box = element('input');
    box.autocomplete = 'off';
    label.append(box);
    const send = element('button', 'button', 'Responder');
    form.append(label, send);
    this.node.append(form);
    box.focus({ preventScroll: true });
    return new Promise((resolve) =>
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        form.remove();
        this.write({ stream: 'stdout', text: `${prompt}${box.value}\n` });
        resolve(box.value);
      }),
    );
  }

  /**
   * Offer all that was printed, of which only the end is shown.
   * @param {string} text
   * @param {string} name - of the file
   */
  offer(text, name) {
    const link = element('a', 'output-download', 'Descargar la salida completa');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
    link.download = name;
    this.node.firstElementChild?.append(' ', link);
  }

  /** A line of ours, such as which cell ran first. @param {string} text */
  note(text) {
    this.node.append(element('p', 'output-notice', text));
  }
}
