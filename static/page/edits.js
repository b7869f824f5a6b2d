/**
 * The reader's edits as something to take along: a link, a .py file, a notebook.
 *
 * @typedef {{name: string, number: number, title: string, source: string, edited: boolean}} CellText
 */
import { element } from '../shared/dom.js';

const HASH_KEY = 'celdas=';

/**
 * Everything after `#` that carries the edited cells.
 * @param {CellText[]} cells
 * @returns {Promise<string>}
 */
export async function toHash(cells) {
  const edited = Object.fromEntries(cells.filter((c) => c.edited).map((c) => [c.name, c.source]));
  const bytes = await through(
    new CompressionStream('deflate-raw'),
    new TextEncoder().encode(JSON.stringify(edited)),
  );
  const text = btoa(String.fromCharCode(...bytes));
  return HASH_KEY + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * The cells that an address carries.
 * @param {string} hash - location.hash
 * @returns {Promise<Record<string, string>|null>} null where it carries none, or none that can be read
 */
export async function fromHash(hash) {
  const found = hash.match(/celdas=([\w-]+)/);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const json = new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes));
    const cells = Object.entries(JSON.parse(json)).filter(([, source]) => typeof source === 'string');
    return Object.fromEntries(cells);
  } catch {
    return null;
  }
}

/**
 * @param {CompressionStream|DecompressionStream} stream
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function through(stream, bytes) {
  const out = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(out).arrayBuffer());
}

/**
 * All cells as one Python file, in the percent format that editors know.
 * @param {CellText[]} cells
 */
export function toPython(cells) {
  return cells.map((c) => `# %% Celda ${c.number}: ${c.title}\n${c.source}\n`).join('\n');
}

/**
 * The lesson's notebook with the reader's sources in it.
 * @param {any} notebook - parsed .ipynb; its code cells carry their name as metadata
 * @param {CellText[]} cells
 */
export function toNotebook(notebook, cells) {
  const sources = new Map(cells.map((c) => [c.name, c.source]));
  const patched = notebook.cells.map((/** @type {any} */ cell) => {
    const source = sources.get(cell.metadata?.name);
    return cell.cell_type === 'code' && source !== undefined ? { ...cell, source } : cell;
  });
  return JSON.stringify({ ...notebook, cells: patched }, null, 1);
}

/**
 * Hand a text to the reader as a file.
 * @param {string} text
 * @param {string} name
 * @param {string} type
 */
export function download(text, name, type) {
  const link = element('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
