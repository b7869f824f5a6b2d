/**
 * Ask a running Python to stop by itself: where the page is cross-origin isolated or the cell awaits, and
 * only for a second, since sleeps and catch-all loops don't hear it.
 */

const GENTLE_MS = 1000;
const PRESS_MS = 50; // one press in fifteen gets lost

export class Interrupt {
  /** What the worker's Python watches; undefined where the host does not isolate the page. */
  buffer = globalThis.crossOriginIsolated ? new SharedArrayBuffer(4) : undefined;
  /** @type {ReturnType<typeof setInterval>|undefined} */
  #timer;

  /** Whether somebody is pressing. */
  get pressed() {
    return this.#timer !== undefined;
  }

  /**
   * Press until `release`, or give up.
   * @param {() => void} onDeaf - Python did not stop in time
   * @param {(() => void)|null} [cancel] - tells a cell that awaits to stop
   */
  press(onDeaf, cancel = null) {
    cancel?.();
    if (!this.buffer && !cancel) return onDeaf();
    const signal = this.buffer ? new Int32Array(this.buffer) : new Int32Array(1);
    const end = performance.now() + GENTLE_MS;
    this.#timer = setInterval(() => {
      if (performance.now() < end) signal[0] = 2;
      else {
        this.release();
        onDeaf();
      }
    }, PRESS_MS);
    signal[0] = 2;
  }

  /** Python has stopped: take the signal back. */
  release() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.buffer) new Int32Array(this.buffer)[0] = 0;
  }
}
