/**
 * A cell's output area: streamed text in bounded DOM, the result, the error, the pictures.
 * Everything goes in as text, never as markup.
 */

const MAX_LINES = 500;
const MAX_CHARACTERS = 100_000;

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {string} [text]
 */
function element(tag, className = '', text = '') {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/**
 * Keep the end of a text that has grown too long to show.
 * @param {string} text
 */
function tail(text) {
  const cut = text.length > MAX_CHARACTERS ? text.slice(-MAX_CHARACTERS) : text;
  const lines = cut.split('\n');
  return lines.length > MAX_LINES ? lines.slice(-MAX_LINES).join('\n') : cut;
}

/** The output area of one cell. */
export class OutputArea {
  /** @type {{stream: string, text: string}[]} */
  #pending = [];
  #frame = 0;
  /** @type {HTMLElement|null} */
  #last = null;
  #cut = false;

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
    this.#cut = false;
    delete this.node.dataset.stored;
    this.node.replaceChildren();
  }

  /**
   * Add printed text; drawn once a frame however much comes.
   * @param {{stream: string, text: string}} part
   */
  write(part) {
    this.#pending.push(part);
    this.#frame ||= requestAnimationFrame(() => this.flush());
  }

  /** Draw what waits. */
  flush() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const { stream, text } of this.#pending) this.#append(stream, text);
    this.#pending = [];
  }

  /** @param {string} stream @param {string} text */
  #append(stream, text) {
    if (!this.#last?.classList.contains(stream)) {
      this.#last = element('pre', `stream ${stream}`);
      this.node.append(this.#last);
    }
    const whole = this.#last.textContent + text;
    const kept = tail(whole);
    this.#last.textContent = kept;
    if (kept.length < whole.length && !this.#cut) {
      this.#cut = true;
      this.node.prepend(element('p', 'output-notice', 'Salida larga: se muestra el final.'));
    }
    while (this.node.childElementCount > 60) this.node.children[1].remove();
  }

  /**
   * Show how a run ended.
   * @param {import('./kernel/types.js').Outcome} outcome
   * @param {string} title - the cell's name, for the error's place
   */
  finish(outcome, title) {
    this.flush();
    if (outcome.status === 'done') {
      if (outcome.result !== null) this.node.append(element('pre', 'result', outcome.result));
      return;
    }
    const box = element('div', 'cell-error');
    const message = element('p', 'error-message');
    if (outcome.kind === 'python') {
      message.append(element('strong', '', outcome.name), outcome.message ? `: ${outcome.message}` : '');
    } else message.append(outcome.message || outcome.name);
    box.append(message);
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

  /** A place for a picture that belongs to this cell. */
  slot() {
    const slot = element('div', 'heatmap');
    this.node.append(slot);
    return slot;
  }

  /** A line of ours, such as which cell ran first. @param {string} text */
  note(text) {
    this.node.append(element('p', 'output-notice', text));
  }
}
