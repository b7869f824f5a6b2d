/**
 * The cells that wait for their turn and the one that runs: one at a time, each settled once.
 *
 * @typedef {import('../protocol.js').Outcome} Outcome
 * @typedef {import('../protocol.js').Display} Display
 * @typedef {import('../protocol.js').Stream} Stream
 *
 * @typedef {object} RunRequest
 * @property {string} cell - the cell's name
 * @property {string} filename - what tracebacks call it, and the reader is told
 * @property {string} source
 * @property {boolean} [scratch] - run in a copy of the namespace: leave no variable behind
 * @property {(state: 'queued'|'loading'|'running') => void} [onState]
 * @property {(output: {stream: Stream, text: string}) => void} [onOutput]
 * @property {((display: Display) => void)|null} [onDisplay] - without it displays come with the outcome
 * @property {(prompt: string) => Promise<string>} [onAsk] - the cell calls `input`
 *
 * @typedef {Required<RunRequest> & Progress} Job - a request with nothing left out, and its progress
 *
 * @typedef {object} Progress
 * @property {number} id
 * @property {'run'|'reset'} type
 * @property {boolean} [awaits] - it can be cancelled
 * @property {Display[]} [displays] - what it has shown so far
 * @property {(outcome: Outcome) => void} settle
 */

/** What a request may leave out. */
export const DEFAULTS = {
  scratch: false,
  onState() {},
  onOutput() {},
  onDisplay: null,
  onAsk: async () => '',
};

export class Jobs {
  /** @type {Job[]} */
  waiting = [];
  /** @type {Job|null} */
  running = null;
  #count = 0;

  /**
   * @param {Omit<Job, 'id'|'settle'>} job
   * @returns {Promise<Outcome>}
   */
  add(job) {
    return new Promise((settle) => {
      this.waiting.push({ ...job, id: ++this.#count, settle });
    });
  }

  /** Take the next one. @returns {Job|null} */
  next() {
    this.running = this.waiting.shift() ?? null;
    return this.running;
  }

  /** The running job, if a message is about it: those of a stopped job that come behind are dropped. @param {number} id */
  current(id) {
    return this.running?.id === id ? this.running : null;
  }

  /** @param {Outcome} outcome */
  settleRunning(outcome) {
    const job = this.running;
    this.running = null;
    job?.settle({ ...outcome, display: [...(job.displays ?? []), ...(outcome.display ?? [])] });
  }

  /** @param {Outcome} outcome */
  settleWaiting(outcome) {
    for (const job of this.waiting.splice(0)) job.settle({ ...outcome });
  }
}
