/**
 * Bring the runtime's files: checked, retried, inflated where the host compresses nothing, counted.
 *
 * @typedef {import('./types.js').RuntimeFile} RuntimeFile
 * @typedef {import('./types.js').Progress} Progress
 */

import { PATIENCE } from './patience.js';

const REPORT_MS = 100;

const AT_ONCE = { turn: Promise.resolve(), end: () => {} };

/** A file that can't be had, by name; `why` is for the console. */
export class FileProblem extends Error {
  /** @param {string} file @param {string} why */
  constructor(file, why) {
    super(`${file}: ${why}`);
    this.name = 'FileProblem';
    this.file = file;
    this.why = why;
  }
}

/** All the downloads of one boot. */
export class Downloads {
  /** @type {Map<string, {loaded: number, total: number}>} */
  #counts = new Map();
  /** @type {Map<string, {turn: Promise<void>, end: () => void}>} */
  #turns = new Map();
  #lastReport = 0;

  /**
   * @param {Record<string, RuntimeFile>} files - with absolute URLs
   * @param {(progress: Progress) => void} onProgress
   * @param {Partial<import('./patience.js').Patience>} [patience]
   * @param {{inflate?: boolean, fresh?: boolean}} [options]
   */
  constructor(files, onProgress, patience = {}, { inflate = false, fresh = false } = {}) {
    this.files = files;
    this.onProgress = onProgress;
    this.patience = { ...PATIENCE, ...patience };
    this.inflate = inflate;
    this.fresh = fresh;
    this.fetch = self.fetch.bind(self); // during the boot another stands in its place
  }

  /**
   * Count these files in the total from the start, and read them in this order: what is here first
   * is made ready while the rest comes, and a line that they share is not split among them.
   * @param {string[]} names - all of them will be asked for
   */
  expect(names) {
    let turn = Promise.resolve();
    for (const name of names) {
      const file = this.#file(name);
      this.#counts.set(name, { loaded: 0, total: file.gzip ?? file.bytes });
      let end = () => {};
      /** @type {Promise<void>} */
      const next = new Promise((resolve) => (end = resolve));
      this.#turns.set(name, { turn, end });
      turn = next;
    }
  }

  /**
   * The whole file, its length and SHA-256 checked.
   * @param {string} name
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async bytes(name) {
    const file = this.#file(name);
    const { turn, end } = this.#turns.get(name) ?? AT_ONCE;
    try {
      return await this.#retry(name, async (cache) => {
        const { response, packed } = await this.#open(name, cache);
        await turn;
        const size = packed ? /** @type {number} */ (file.gzip) : file.bytes;
        const data = await this.#read(name, response, size).finally(end);
        await check(name, data, packed ? file.gzipSha256 : file.sha256);
        return packed ? await inflated(data, file.bytes) : data;
      });
    } finally {
      end();
    }
  }

  /** @param {string} name */
  #file(name) {
    const file = this.files[name];
    if (!file) throw new FileProblem(name, 'not in the runtime manifest');
    return file;
  }

  /**
   * @template T
   * @param {string} name
   * @param {(cache: RequestCache) => Promise<T>} attempt
   * @returns {Promise<T>}
   */
  async #retry(name, attempt) {
    const { pauses } = this.patience;
    for (let n = 1; ; n++) {
      try {
        return await attempt(n > 1 || this.fresh ? 'reload' : 'default');
      } catch (error) {
        const problem =
          error instanceof FileProblem ? error : new FileProblem(name, String(error));
        console.warn(`python: ${problem.message} (attempt ${n} of ${pauses.length + 1})`);
        if (n > pauses.length) throw problem;
        await new Promise((resolve) => setTimeout(resolve, pauses[n - 1]));
      }
    }
  }

  /**
   * A response whose body is the file or, on a host that compresses nothing, its .gz.
   * @param {string} name
   * @param {RequestCache} cache
   */
  async #open(name, cache) {
    const file = this.#file(name);
    const stop = new AbortController();
    if (!(this.inflate && file.gzip)) {
      const response = await this.fetch(file.url, { cache, signal: stop.signal });
      if (!response.ok) throw new FileProblem(name, `HTTP ${response.status}`);
      if (!file.gzip || response.headers.get('content-encoding')) {
        this.#total(name, response);
        return { response, packed: false };
      }
      stop.abort();
      this.inflate = true;
    }
    const packed = await this.fetch(`${file.url}.gz`, { cache });
    if (!packed.ok || !packed.body) throw new FileProblem(`${name}.gz`, `HTTP ${packed.status}`);
    this.#total(name, packed, file.gzip);
    return { response: packed, packed: !packed.headers.get('content-encoding') }; // else it is inflated
  }

  /**
   * What this file weighs on the line, once the host has said how it sends it.
   * @param {string} name @param {Response} response @param {number} [known]
   */
  #total(name, response, known) {
    const file = this.#file(name);
    const sizes = { br: file.brotli, gzip: file.gzip };
    const encoding = response.headers.get('content-encoding') ?? '';
    const total = known ?? sizes[/** @type {'br'|'gzip'} */ (encoding)] ?? file.bytes;
    this.#counts.set(name, { loaded: 0, total });
  }

  /** @param {string} name @param {Response} response @param {number} size */
  async #read(name, response, size) {
    const count = this.#counts.get(name) ?? { loaded: 0, total: size };
    const data = new Uint8Array(size);
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    let at = 0;
    for (;;) {
      const { done, value } = await this.#inTime(name, reader);
      if (done) break;
      if (at + value.length > data.length) {
        await reader.cancel();
        throw new FileProblem(name, `altered: longer than ${data.length} bytes`);
      }
      data.set(value, at);
      at += value.length;
      count.loaded = Math.round((count.total * at) / data.length);
      this.#report(false);
    }
    if (at !== data.length) throw new FileProblem(name, `cut short: ${at} of ${data.length} bytes`);
    this.#report(true);
    return data;
  }

  /**
   * The next piece, or a problem when the line has gone quiet.
   * @param {string} name @param {ReadableStreamDefaultReader<Uint8Array>} reader
   * @returns {Promise<ReadableStreamReadResult<Uint8Array>>}
   */
  #inTime(name, reader) {
    const { stall } = this.patience;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new FileProblem(name, `nothing for ${stall / 1000} s`));
        void reader.cancel().catch(() => {});
      }, stall);
      reader
        .read()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }

  /** @param {boolean} now */
  #report(now) {
    const time = performance.now();
    if (!now && time - this.#lastReport < REPORT_MS) return;
    this.#lastReport = time;
    const counts = [...this.#counts.entries()];
    this.onProgress({
      step: 'download',
      loaded: counts.reduce((sum, [, c]) => sum + c.loaded, 0),
      total: counts.reduce((sum, [, c]) => sum + c.total, 0),
      waiting: counts.filter(([, c]) => c.loaded < c.total).map(([name]) => name),
    });
  }
}

/** @param {string} name @param {Uint8Array<ArrayBuffer>} data @param {string} [sha256] */
async function check(name, data, sha256) {
  if (!globalThis.crypto?.subtle) return; // plain http elsewhere than localhost has no digest
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  const got = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (got !== sha256) throw new FileProblem(name, `altered: SHA-256 ${got}, expected ${sha256}`);
}

/**
 * @param {Uint8Array<ArrayBuffer>} packed - gzip
 * @param {number} size - of what is in it, bytes
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function inflated(packed, size) {
  const data = new Uint8Array(size);
  const inflater = new DecompressionStream('gzip');
  const writer = inflater.writable.getWriter();
  const written = writer.write(packed).then(() => writer.close());
  written.catch(() => {}); // the reader hears of it
  const reader = inflater.readable.getReader();
  for (let at = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return data;
    data.set(value, at);
    at += value.length;
  }
}
