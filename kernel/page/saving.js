/**
 * Whether a saved memory is on its way from the worker. Stop waits for it a moment, since the next worker
 * starts from it.
 */

export class Saving {
  #pending = false;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @param {number} patience - the longest wait, ms */
  constructor(patience) {
    this.patience = patience;
  }

  /** @param {boolean} expected - the worker said that a memory follows at once */
  expect(expected) {
    this.#pending = expected;
  }

  /** It has come, or will not come. */
  over() {
    this.#pending = false;
    for (const proceed of [...this.#waiting]) proceed();
  }

  /**
   * Call back when no memory is on its way any more, or patience has run out.
   * @param {() => void} then
   */
  wait(then) {
    if (!this.#pending) return then();
    const proceed = () => {
      clearTimeout(timer);
      if (this.#waiting.delete(proceed)) then();
    };
    const timer = setTimeout(proceed, this.patience);
    this.#waiting.add(proceed);
  }
}
