/**
 * Which cells run, in which order, and where what they draw goes.
 *
 * A cell that needs names of an earlier cell runs that one first: what each defines and uses was
 * read off its source by the builder; a NameError that slips through is mended the same way.
 *
 * @typedef {import('./cell.js').Cell} Cell
 * @typedef {import('../../kernel/page/kernel.js').Kernel} Kernel
 * @typedef {{update: (payload: any) => void}} HeatmapHandle
 */

export class Runner {
  /** @type {Cell[]} */
  #cells = [];
  /** @type {{name: string, from: string|undefined, handle: HeatmapHandle}[]} */
  #heatmaps = [];

  /**
   * @param {Kernel} kernel
   * @param {{mountHeatmap: (node: HTMLElement, payload: any, options: object) => HeatmapHandle,
   *   chart: (kind: string, payload: any) => Element}} tools
   */
  constructor(kernel, tools) {
    this.kernel = kernel;
    this.tools = tools;
  }

  /** @param {Cell} cell */
  addCell(cell) {
    this.#cells.push(cell);
  }

  /** @param {string} name @param {string|undefined} from @param {HeatmapHandle} handle */
  addHeatmap(name, from, handle) {
    this.#heatmaps.push({ name, from, handle });
  }

  /**
   * Run a cell, after those it needs.
   * @param {Cell} cell
   */
  async run(cell) {
    const first = this.#needed(cell).filter((other) => !other.busy);
    const before = first.map((other) => this.#runOne(other, []));
    const outcome = await this.#runOne(cell, first);
    await Promise.all(before);
    const missing = outcome.status === 'failed' ? outcome.missing : null;
    const source = missing && this.#definer(cell, missing);
    if (source && !source.hasRun) {
      await this.run(source);
      await this.#runOne(cell, [source]);
    }
  }

  /**
   * Run code of the lesson's own (a check, a demonstration) in a copy of the reader's variables.
   * @param {string} source
   * @param {string} filename - what tracebacks call it
   * @returns {Promise<import('../../kernel/protocol.js').Outcome & {text: string}>}
   */
  async evaluate(source, filename) {
    let text = '';
    const outcome = await this.kernel.run({
      cell: '',
      filename,
      source,
      scratch: true,
      onOutput: (part) => (text += part.text),
    });
    return { ...outcome, text: outcome.text ?? text };
  }

  /** Run every cell of the lesson, in order. */
  async runAll() {
    await Promise.all(this.#cells.filter((cell) => !cell.busy).map((cell) => this.#runOne(cell, [])));
  }

  /**
   * Run all cells up to this one, this one included.
   * @param {Cell} cell
   */
  async runTo(cell) {
    const upTo = this.#cells.slice(0, this.#cells.indexOf(cell) + 1);
    await Promise.all(upTo.filter((one) => !one.busy).map((one) => this.#runOne(one, [])));
  }

  /**
   * Run a cell and go on to the next one's editor.
   * @param {Cell} cell
   */
  runNext(cell) {
    this.#cells[this.#cells.indexOf(cell) + 1]?.focus();
    return this.run(cell);
  }

  /**
   * Run the named cells again, in the lesson's order.
   * @param {string[]} names
   */
  async runNamed(names) {
    const cells = this.#cells.filter((cell) => names.includes(cell.name) && !cell.busy);
    await Promise.all(cells.map((cell) => this.#runOne(cell, [])));
  }

  /** Python from the start: no variables; outputs stay to be read. */
  async restart() {
    await this.kernel.reset();
    this.forget(null);
  }

  stop() {
    this.kernel.stop();
  }

  /** @returns {Cell[]} in the lesson's order */
  get cells() {
    return [...this.#cells];
  }

  /**
   * Python started again: these variables are gone, or all of them.
   * @param {string[]|null} variables
   */
  forget(variables) {
    for (const cell of this.#cells) {
      if (!variables || variables.some((name) => cell.defines.has(name))) cell.hasRun = false;
    }
  }

  /**
   * What writes the reader's own sentence into a cell and runs it.
   * @param {string|undefined} name - the cell's
   */
  sentenceFeed(name) {
    const cell = this.#cells.find((one) => one.name === name);
    if (!cell) return null;
    return (/** @type {string} */ sentence) => {
      const line = `sentence = ${JSON.stringify(sentence)}`;
      cell.replace(cell.source.replace(/^sentence = .*$/m, () => line));
      this.run(cell);
    };
  }

  /**
   * Earlier cells that define what a cell needs and have not run yet, in order.
   * @param {Cell} cell
   */
  #needed(cell) {
    /** @type {Set<Cell>} */
    const wanted = new Set();
    /** @param {Cell} one */
    const visit = (one) => {
      for (const name of one.uses) {
        if (!mentions(one.source, name)) continue; // edited away
        const definer = this.#definer(one, name);
        if (definer && !definer.hasRun && !wanted.has(definer)) {
          wanted.add(definer);
          visit(definer);
        }
      }
    };
    visit(cell);
    return this.#cells.filter((one) => wanted.has(one));
  }

  /** The nearest cell before `cell` that binds `name`. @param {Cell} cell @param {string} name */
  #definer(cell, name) {
    return this.#cells.slice(0, this.#cells.indexOf(cell)).findLast((one) => one.defines.has(name));
  }

  /** @param {Cell} cell @param {Cell[]} first - those that had to run before */
  async #runOne(cell, first) {
    let begun = false;
    const begin = () => {
      if (begun) return;
      begun = true;
      cell.begin();
      if (first.length) {
        const names = first.map((one) => `la celda ${one.number}`).join(' y ');
        cell.output.note(`Antes se ha ejecutado ${names}: esta la necesita.`);
      }
    };
    cell.setState(this.kernel.state === 'ready' ? 'queued' : 'loading');
    const outcome = await this.kernel.run({
      cell: cell.name,
      filename: cell.filename,
      source: cell.source,
      onState: (state) => {
        if (state === 'running') begin();
        cell.setState(state);
      },
      onOutput: (part) => cell.output.write(part),
      onDisplay: (display) => this.#draw(cell, [display]),
      onAsk: (prompt) => cell.output.ask(prompt),
    });
    begin();
    this.#draw(cell, outcome.display ?? []);
    cell.finish(outcome);
    if (cell.output.cut && outcome.text) cell.output.offer(outcome.text, `${cell.name}.txt`);
    return outcome;
  }

  /**
   * Draw what a run shows.
   * @param {Cell} cell
   * @param {any[]} displays
   */
  #draw(cell, displays) {
    cell.output.flush();
    try {
      for (const display of displays) this.#show(cell, display);
    } catch (error) {
      console.warn('heatmap:', error);
      cell.output.note(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {Cell} cell @param {any} display */
  #show(cell, { kind, target, payload }) {
    if (kind === 'lines' || kind === 'matrix' || kind === 'progress') {
      cell.output.picture(`${kind}:${payload.title}`, () => this.tools.chart(kind, payload));
      return;
    }
    if (kind !== 'heads') return;
    const place = this.#heatmaps.find(({ name, from }) =>
      target ? name === target : from === cell.name,
    );
    if (place) place.handle.update(payload);
    else cell.output.heatmap(payload, (slot) => this.tools.mountHeatmap(slot, payload, {}));
  }
}

/** @param {string} source @param {string} name */
const mentions = (source, name) =>
  new RegExp(`(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, 'u').test(source);
