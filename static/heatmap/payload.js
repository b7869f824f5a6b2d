// The heatmap's data: checked once here, on the page's side of the border, then read as a Model.

/**
 * @typedef {Float32Array | Float64Array} Values n_q·n_k weights, row after row
 *
 * @typedef {object} Model
 * @property {string} title
 * @property {string[]} tokensQ queries, n_q of them
 * @property {string[]} tokensK keys, n_k of them
 * @property {boolean} same queries and keys are the same tokens
 * @property {number} numLayers 1 when the payload has none
 * @property {number} numHeads
 * @property {number} nQ
 * @property {number} nK
 * @property {Values} weights (num_layers, num_heads, n_q, n_k)
 * @property {Uint8Array | null} mask (n_q, n_k), 1 = hidden
 * @property {string[]} headLabels
 * @property {string[] | null} layers
 * @property {Values | null} headDeltas (num_layers | 1, num_heads, n_q): ‖Δoutput‖ with that head off
 */

const SUM_TOLERANCE = 1e-4; // float32 rows of a thousand keys stay well inside

/** @param {string} what @returns {never} */
function refuse(what) {
  throw new Error(`Mapa de atención: ${what}`);
}

/**
 * Read `{shape, data}`.
 * @param {unknown} raw @param {string} name argument's name, for the error
 * @returns {{shape: number[], data: ArrayLike<number>}}
 */
function readArray(raw, name) {
  const array = /** @type {{shape?: unknown, data?: unknown}} */ (raw);
  const shape = array?.shape;
  const data = /** @type {ArrayLike<number>} */ (array?.data);
  if (!Array.isArray(shape) || data === null || typeof data !== 'object') {
    refuse(`${name} debe llegar como {shape, data}.`);
  }
  const size = shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
  if (data.length !== size) {
    refuse(`${name}: la forma (${shape.join(', ')}) pide ${size} números y llegan ${data.length}.`);
  }
  return { shape, data };
}

/** @param {ArrayLike<number>} data @returns {Values} */
const asValues = (data) =>
  data instanceof Float32Array || data instanceof Float64Array ? data : Float64Array.from(data);

/** @param {unknown} raw @param {string} name @returns {string[]} */
function readTokens(raw, name) {
  if (!Array.isArray(raw)) refuse(`${name} debe ser una lista de textos.`);
  const wrong = raw.findIndex((token) => typeof token !== 'string');
  if (wrong >= 0) refuse(`${name}[${wrong}] no es un texto.`);
  return raw;
}

/**
 * Check a payload and read it.
 * @param {unknown} raw what `show_heads` sent or the builder baked
 * @returns {Model}
 * @throws {Error} in Spanish, naming the argument, the place, the value and the way out
 */
export function readPayload(raw) {
  if (raw === null || typeof raw !== 'object') refuse('no hay datos que dibujar.');
  const payload = /** @type {Record<string, unknown>} */ (raw);
  const tokensQ = readTokens(payload.tokens_q, 'tokens_q');
  const tokensK = readTokens(payload.tokens_k ?? payload.tokens_q, 'tokens_k');
  const { shape, data } = readArray(payload.attn_weights, 'attn_weights');
  const layers = payload.layers ? readTokens(payload.layers, 'layers') : null;
  const want = layers ? '(num_layers, num_heads, n_q, n_k)' : '(num_heads, n_q, n_k)';
  if (shape.length !== (layers ? 4 : 3)) {
    refuse(`attn_weights tiene la forma (${shape.join(', ')}) y hace falta ${want}.`);
  }
  const [numHeads, nQ, nK] = shape.slice(-3);
  const numLayers = layers ? shape[0] : 1;
  if (layers && layers.length !== numLayers) {
    refuse(`layers tiene ${layers.length} nombres y attn_weights ${numLayers} capas.`);
  }
  if (tokensQ.length !== nQ) {
    refuse(`tokens_q tiene ${tokensQ.length} tokens y attn_weights ${nQ} filas; deben coincidir.`);
  }
  if (tokensK.length !== nK) {
    refuse(`tokens_k tiene ${tokensK.length} tokens y attn_weights ${nK} columnas; deben coincidir.`);
  }
  if (numLayers * numHeads * nQ * nK === 0) {
    refuse(`attn_weights está vacío: forma (${shape.join(', ')}).`);
  }
  /** @type {Model} */
  const model = {
    title: typeof payload.title === 'string' ? payload.title : '',
    tokensQ, tokensK, numLayers, numHeads, nQ, nK, layers,
    same: nQ === nK && tokensQ.every((token, i) => token === tokensK[i]),
    weights: asValues(data),
    mask: readMask(payload.mask, nQ, nK),
    headLabels: readLabels(payload.head_labels, numHeads),
    headDeltas: readDeltas(payload.head_deltas, numHeads, nQ, numLayers),
  };
  checkWeights(model);
  return model;
}

/** @param {unknown} raw @param {number} nQ @param {number} nK @returns {Uint8Array | null} */
function readMask(raw, nQ, nK) {
  if (raw === null || raw === undefined) return null;
  const { shape, data } = readArray(raw, 'mask');
  if (shape.length !== 2 || shape[0] !== nQ || shape[1] !== nK) {
    refuse(`mask tiene la forma (${shape.join(', ')}) y hace falta (n_q, n_k) = (${nQ}, ${nK}).`);
  }
  return Uint8Array.from(data, (hidden) => (hidden ? 1 : 0));
}

/** @param {unknown} raw @param {number} numHeads @returns {string[]} */
function readLabels(raw, numHeads) {
  const labels = raw ? readTokens(raw, 'head_labels') : [];
  if (labels.length && labels.length !== numHeads) {
    refuse(`head_labels tiene ${labels.length} nombres y hay ${numHeads} cabezas.`);
  }
  return Array.from({ length: numHeads }, (_, head) => labels[head] ?? '');
}

/**
 * @param {unknown} raw @param {number} numHeads @param {number} nQ @param {number} numLayers
 * @returns {Values | null}
 */
function readDeltas(raw, numHeads, nQ, numLayers) {
  if (raw === null || raw === undefined) return null;
  const { shape, data } = readArray(raw, 'head_deltas');
  const [heads, rows] = shape.slice(-2);
  const layers = shape.length === 3 ? shape[0] : 1;
  if (heads !== numHeads || rows !== nQ || (layers !== 1 && layers !== numLayers)) {
    refuse(`head_deltas tiene la forma (${shape.join(', ')}) y hace falta (${numHeads}, ${nQ}).`);
  }
  const wrong = Array.prototype.findIndex.call(data, (v) => !Number.isFinite(v) || v < 0);
  if (wrong >= 0) refuse(`head_deltas[${wrong}] = ${data[wrong]}; debe ser una norma finita.`);
  return asValues(data);
}

/** Every weight finite and in [0, 1]; rows sum to 1, or to 0 where every key is hidden. @param {Model} model */
function checkWeights({ weights, mask, nQ, nK, numHeads, tokensQ }) {
  const place = (/** @type {number} */ row) =>
    `cabeza ${(Math.floor(row / nQ) % numHeads) + 1}, fila ${(row % nQ) + 1} («${tokensQ[row % nQ]}»)`;
  for (let row = 0; row < weights.length / nK; row += 1) {
    const base = row * nK;
    const maskBase = (row % nQ) * nK;
    let sum = 0;
    let visible = 0;
    for (let j = 0; j < nK; j += 1) {
      const value = weights[base + j];
      if (!(value >= -SUM_TOLERANCE && value <= 1 + SUM_TOLERANCE)) {
        refuse(`${place(row)}, columna ${j + 1}: ${value} no es un peso; `
          + 'se esperan los de después del softmax, finitos y entre 0 y 1.');
      }
      if (mask?.[maskBase + j]) {
        if (value > SUM_TOLERANCE) {
          refuse(`${place(row)}, columna ${j + 1}: pesa ${value} pero mask la oculta; debe ser 0.`);
        }
      } else visible += 1;
      sum += value;
    }
    const goal = visible === 0 ? 0 : 1;
    if (Math.abs(sum - goal) > SUM_TOLERANCE) {
      refuse(`${place(row)}: los pesos suman ${sum.toPrecision(4)} y deben sumar ${goal}; `
        + '¿falta el softmax sobre las keys (axis=-1)?');
    }
  }
}

/**
 * One head's weights, without a copy.
 * @param {Model} model @param {number} layer @param {number} head
 * @returns {Values} (n_q, n_k)
 */
export function headValues(model, layer, head) {
  const size = model.nQ * model.nK;
  const start = (layer * model.numHeads + head) * size;
  return model.weights.subarray(start, start + size);
}

/** The mean of a layer's heads. @param {Model} model @param {number} layer @returns {Float64Array} (n_q, n_k) */
export function meanValues(model, layer) {
  const size = model.nQ * model.nK;
  const mean = new Float64Array(size);
  for (let head = 0; head < model.numHeads; head += 1) {
    const values = headValues(model, layer, head);
    for (let c = 0; c < size; c += 1) mean[c] += values[c] / model.numHeads;
  }
  return mean;
}

/** ‖Δoutput‖ per query with one head off. @param {Model} model @param {number} layer @param {number} head */
export function deltasOf(model, layer, head) {
  if (!model.headDeltas) return null;
  const size = model.numHeads * model.nQ;
  const start = (model.headDeltas.length > size ? layer * size : 0) + head * model.nQ;
  return model.headDeltas.subarray(start, start + model.nQ);
}

/** Does a query have no key to look at? @param {Model} model @param {number} i */
export function hasNoKeys({ mask, nK }, i) {
  if (!mask) return false;
  for (let j = 0; j < nK; j += 1) if (!mask[i * nK + j]) return false;
  return true;
}
