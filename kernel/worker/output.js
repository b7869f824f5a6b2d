/**
 * Gather what a cell writes and send it in batches that the page can bear, whatever the flood.
 *
 * @typedef {import('../protocol.js').Stream} Stream
 */

const BATCH_MS = 60;
const BATCH_LIMIT = 4_000; // characters of one batch that travel: the last ones
const KEEP_LIMIT = 5_000_000; // characters kept whole for download

/** The output of the cell that runs. */
export class Output {
  /** @type {{stream: Stream, text: string}[]} */
  #pending = [];
  #size = 0;
  #lastSent = 0;
  /** @type {string[]} */
  #whole = [];
  #kept = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };

  /** @param {(stream: Stream, text: string) => void} send */
  constructor(send) {
    this.send = send;
  }

  /** Forget the last cell's text. */
  begin() {
    this.flush();
    this.#whole = [];
    this.#kept = 0;
    this.#lastSent = 0;
  }

  /**
   * A handler for `setStdout` and `setStderr`.
   * @param {'stdout'|'stderr'} stream
   */
  writer(stream) {
    return (/** @type {Uint8Array} */ bytes) => {
      this.add(stream, this.#decoders[stream].decode(bytes, { stream: true }));
      return bytes.length;
    };
  }

  /** @param {Stream} stream @param {string} text */
  add(stream, text) {
    if (!text) return;
    const last = this.#pending.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.#pending.push({ stream, text });
    this.#size += text.length;
    if (this.#kept < KEEP_LIMIT) {
      this.#whole.push(text);
      this.#kept += text.length;
    }
    if (this.#size > 4 * BATCH_LIMIT) this.#trim();
    if (performance.now() - this.#lastSent >= BATCH_MS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS); // for cells that await
  }

  #omitted = 0;

  /** Keep the end of a long batch only. */
  #trim() {
    let room = BATCH_LIMIT;
    const kept = [];
    for (const part of this.#pending.reverse()) {
      if (room <= 0) break;
      kept.push({ stream: part.stream, text: part.text.slice(-room) });
      room -= part.text.length;
    }
    const size = kept.reduce((sum, part) => sum + part.text.length, 0);
    this.#omitted += this.#size - size;
    this.#pending = kept.reverse();
    this.#size = size;
  }

  /** Send what there is. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#size > BATCH_LIMIT) this.#trim();
    if (this.#omitted) {
      this.send('notice', `… ${this.#omitted} caracteres omitidos\n`);
      this.#omitted = 0;
    }
    for (const { stream, text } of this.#pending) this.send(stream, text);
    this.#pending = [];
    this.#size = 0;
    this.#lastSent = performance.now();
  }

  /** Whether the page may not have been shown all of it. */
  get isLong() {
    return this.#kept > BATCH_LIMIT;
  }

  /** The cell's whole text, up to the cap. */
  whole() {
    return this.#whole.join('').slice(0, KEEP_LIMIT);
  }
}
