// Take it away: picture, data, or a link to this very place.

import { el, setText } from './dom.js';

/** @typedef {import('./payload.js').Model} Model */
/**
 * @typedef {object} Source
 * @property {() => string} name for files and links
 * @property {() => Model} model
 * @property {(all: boolean) => {svg: string, width: number, height: number}} picture of what is shown, or of all heads
 * @property {() => string} hash
 */

/** A CSV field: quotes doubled, always quoted. @param {string} text */
const field = (text) => `"${text.replace(/"/g, '""')}"`;

/**
 * Every weight, one a line; the decimal point is a point, as CSV readers want it.
 * @param {Model} model @returns {string}
 */
export function toCsv(model) {
  const { numLayers, numHeads, nQ, nK, weights, mask, tokensQ, tokensK } = model;
  const lines = ['capa,cabeza,fila,query,columna,key,peso,enmascarada'];
  let c = 0;
  for (let layer = 0; layer < numLayers; layer += 1) {
    for (let head = 0; head < numHeads; head += 1) {
      for (let i = 0; i < nQ; i += 1) {
        for (let j = 0; j < nK; j += 1, c += 1) {
          lines.push(`${layer + 1},${head + 1},${i + 1},${field(tokensQ[i])},${j + 1},${field(tokensK[j])},`
            + `${weights[c]},${mask?.[i * nK + j] ? 1 : 0}`);
        }
      }
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** The payload again, in its JSON form. @param {Model} model @returns {string} */
export function toJson(model) {
  const { numLayers, numHeads, nQ, nK } = model;
  const array = (/** @type {number[]} */ shape, /** @type {ArrayLike<number>} */ data) => ({ shape, data: Array.from(data) });
  const shape = model.layers ? [numLayers, numHeads, nQ, nK] : [numHeads, nQ, nK];
  return JSON.stringify({
    tokens_q: model.tokensQ, tokens_k: model.tokensK, attn_weights: array(shape, model.weights),
    mask: model.mask ? array([nQ, nK], model.mask) : null, head_labels: model.headLabels, title: model.title,
    ...(model.layers ? { layers: model.layers } : {}),
    ...(model.headDeltas ? { head_deltas: array(
      model.headDeltas.length > numHeads * nQ ? [numLayers, numHeads, nQ] : [numHeads, nQ], model.headDeltas) } : {}),
  });
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const url = URL.createObjectURL(blob);
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {{svg: string}} picture @param {string} name */
const saveSvg = ({ svg }, name) => save(new Blob([svg], { type: 'image/svg+xml' }), `${name}.svg`);

const PIXELS_AT_MOST = 24_000_000; // of a PNG: what every browser's canvas can hold

/** @param {{svg: string, width: number, height: number}} picture @returns {Promise<Blob>} twice as fine, where that fits */
async function toPng({ svg, width, height }) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = el('canvas');
  const scale = Math.min(2, Math.sqrt(PIXELS_AT_MOST / (width * height)));
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No se pudo hacer el PNG.'))));
  });
}

/**
 * The buttons, folded away.
 * @param {Source} source @returns {HTMLElement}
 */
export function takeAway(source) {
  const note = el('p', { class: 'hm-note', role: 'status' });
  const field = el('input', { class: 'hm-link', type: 'text', readonly: true, 'aria-label': 'Enlace a este mapa', hidden: true });
  /** @type {[string, () => unknown][]} */
  const ways = [
    ['SVG', () => saveSvg(source.picture(false), source.name())],
    ['PNG', async () => save(await toPng(source.picture(false)), `${source.name()}.png`)],
    ['SVG de todas', () => saveSvg(source.picture(true), `${source.name()}-todas`)],
    ['PNG de todas', async () => save(await toPng(source.picture(true)), `${source.name()}-todas.png`)],
    ['CSV', () => save(new Blob(['\ufeff', toCsv(source.model())], { type: 'text/csv' }), `${source.name()}.csv`)],
    ['JSON', () => save(new Blob([toJson(source.model())], { type: 'application/json' }), `${source.name()}.json`)],
    ['Copiar enlace', async () => {
      const url = new URL(location.href);
      url.hash = source.hash();
      history.replaceState(history.state, '', url);
      field.hidden = false;
      field.value = url.href;
      try {
        await navigator.clipboard.writeText(url.href);
        setText(note, 'Enlace copiado: abre esta cabeza, esta fila y esta escala.');
      } catch {
        field.select();
        setText(note, 'Copia el enlace de la casilla.');
      }
    }],
  ];
  const row = el('div', { class: 'hm-take-row' });
  for (const [label, act] of ways) {
    const button = el('button', { type: 'button', class: 'hm-button' }, label);
    button.addEventListener('click', async () => {
      try {
        setText(note, '');
        await act();
      } catch (error) {
        setText(note, error instanceof Error ? error.message : String(error));
      }
    });
    row.append(button);
  }
  return el('details', { class: 'hm-take' }, el('summary', {}, 'Llevárselo'), row, field, note);
}
