// Numbers and tokens in words: Spanish formats, visible blanks, sentences for the live region.

/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./payload.js').Values} Values */
/** @typedef {import('./state.js').Lit} Lit */

const twoPlaces = new Intl.NumberFormat('es-ES', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const SPOKEN_AT_MOST = 3;
const SPOKEN_FROM = 0.005; // below, two decimals read 0,00

/** 0.617 → "0,62". @param {number} value @returns {string} */
export const number = (value) => twoPlaces.format(Math.abs(value) < 0.005 ? 0 : value).replace('-', '−');

/** @type {Record<string, string>} */
const PICTURES = { ' ': '␣', '\n': '↵', '\r': '␍', '\t': '⇥', '\u00a0': '⍽', '\u007f': '␡' };
// Characters without ink of their own, and those that would turn the text around them.
const INVISIBLE = /[\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]/gu;
const JOINERS = /\p{Extended_Pictographic}[\ufe0f\u200d]|\p{L}[\u200c\u200d]/u;

/** @param {string} mark @returns {string} */
function picture(mark) {
  if (PICTURES[mark]) return PICTURES[mark];
  const code = mark.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `‹${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

/**
 * A token as it is drawn: empty, blank and invisible characters get a sign.
 * @param {string} token @returns {string}
 */
export function visible(token) {
  if (token === '') return '∅';
  const sound = token.replace(/\p{Surrogate}/gu, '\ufffd'); // halves of a pair have no picture
  // Joiners inside emoji and in scripts that need them are left alone.
  if (JOINERS.test(sound)) return sound.replace(/^\s|\s$|[\n\r\t\u202a-\u202e\u2066-\u2069]/g, picture);
  return sound.replace(INVISIBLE, (mark, at) =>
    (mark === ' ' && at > 0 && at < sound.length - 1 && sound.trim() !== '' ? mark : picture(mark)));
}

/**
 * Which of its repetitions a token is: 0 for a token that comes once, else 1, 2, …
 * @param {string[]} tokens @returns {number[]}
 */
export function repetitions(tokens) {
  /** @type {Map<string, number>} */
  const total = new Map();
  for (const token of tokens) total.set(token, (total.get(token) ?? 0) + 1);
  /** @type {Map<string, number>} */
  const seen = new Map();
  return tokens.map((token) => {
    if (total.get(token) === 1) return 0;
    seen.set(token, (seen.get(token) ?? 0) + 1);
    return /** @type {number} */ (seen.get(token));
  });
}

/** @type {WeakMap<string[], number[]>} */
const repetitionCache = new WeakMap();

/** `repetitions`, once for each list. @param {string[]} tokens @returns {number[]} */
export function repetitionsOf(tokens) {
  let found = repetitionCache.get(tokens);
  if (!found) repetitionCache.set(tokens, (found = repetitions(tokens)));
  return found;
}

/**
 * A token as it is said: «gato», «el» (2.º), token vacío.
 * @param {string[]} tokens @param {number} index @returns {string}
 */
export function spoken(tokens, index) {
  const token = tokens[index];
  const turn = repetitionsOf(tokens)[index];
  const name = token === '' ? 'token vacío' : token.trim() === '' ? 'token en blanco' : `«${visible(token)}»`;
  return turn ? `${name} (${turn}.º)` : name;
}

/**
 * Cut to a number of graphemes, with an ellipsis.
 * @param {string} text @param {number} limit @returns {string}
 */
export function cut(text, limit) {
  if (text.length <= limit) return text;
  const parts = [...new Intl.Segmenter('es').segment(text)];
  return parts.length <= limit ? text : `${parts.slice(0, limit - 1).map((p) => p.segment).join('')}…`;
}

/** a, b y c. @param {string[]} parts @returns {string} */
export function listing(parts) {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} y ${parts[parts.length - 1]}`;
}

/**
 * What is shown, in words: "cabeza 2", "capa 3, cabeza 2", "media de 4 cabezas".
 * @param {Model} model @param {{layer: number, head: number, mean: boolean}} state
 * @returns {string}
 */
export function headName(model, { layer, head, mean }) {
  const name = mean ? `media de ${model.numHeads} cabezas` : `cabeza ${head + 1}`;
  return model.layers ? `capa ${model.layers[layer]}, ${name}` : name;
}

const GENERIC = /^(cabeza|head|h)?\s*\d*$/i;

/** Does a head's label say more than its number? @param {string} label */
export const says = (label) => !GENERIC.test(label.trim());

/**
 * A heading for one head, or for the mean (−1).
 * @param {Model} model @param {number} head @param {boolean} off switched off
 * @returns {string}
 */
export function headTitle(model, head, off) {
  if (head < 0) return `Media de las ${model.numHeads} cabezas: ninguna mira así`;
  const label = model.headLabels[head];
  return `Cabeza ${head + 1}${says(label) ? ` · ${label}` : ''}${off ? ' · apagada' : ''}`;
}

/**
 * The lit row, column or square in a sentence.
 * @param {Model} model @param {Values} values (n_q, n_k) @param {Lit} lit @param {string} name of the head
 * @param {Values | null} deltas ‖Δoutput‖ of each token without the head, where it is switched off
 * @returns {string}
 */
export function sentence(model, values, lit, name, deltas = null) {
  const { tokensQ, tokensK, nQ, nK, mask } = model;
  const row = lit.axis === 'row';
  const own = row ? tokensQ : tokensK;
  const other = row ? tokensK : tokensQ;
  const at = (/** @type {number} */ k) => (row ? lit.index * nK + k : k * nK + lit.index);
  const subject = `${name}: ${spoken(own, lit.index)}`;
  const verb = row ? 'atiende' : 'recibe';
  const preposition = row ? 'a' : 'de';
  if (lit.cell !== null) {
    if (mask?.[at(lit.cell)]) {
      const [query, key] = row ? [lit.index, lit.cell] : [lit.cell, lit.index];
      return `${name}: ${spoken(tokensQ, query)} no puede mirar a ${spoken(tokensK, key)}: casilla enmascarada.`;
    }
    return `${subject} ${verb} ${number(values[at(lit.cell)])} ${preposition} ${spoken(other, lit.cell)}.`;
  }
  const count = row ? nK : nQ;
  const ranked = ranking(count, (k) => (mask?.[at(k)] ? -1 : values[at(k)]), SPOKEN_AT_MOST);
  if (ranked.length === 0) {
    return row ? `${subject}, sin claves: todas están enmascaradas.` : `${subject}: nadie puede mirarlo.`;
  }
  const change = row && deltas ? ` Sin esta cabeza, su salida cambia ${number(deltas[lit.index])}.` : '';
  const heard = ranked.filter(([, value]) => value >= SPOKEN_FROM);
  if (heard.length === 0) return `${subject} ${verb} menos de 0,01 ${preposition} cada uno.${change}`;
  const parts = heard.map(([k, value]) => `${number(value)} ${preposition} ${spoken(other, k)}`);
  return `${subject} ${verb} ${listing(parts)}.${change}`;
}

/**
 * The largest values with their places, in falling order; negatives are left out.
 * @param {number} count @param {(k: number) => number} valueAt @param {number} limit
 * @returns {[number, number][]}
 */
export function ranking(count, valueAt, limit) {
  /** @type {[number, number][]} */
  const best = [];
  for (let k = 0; k < count; k += 1) {
    const value = valueAt(k);
    if (value < 0 || (best.length === limit && value <= best[limit - 1][1])) continue;
    let place = best.length;
    while (place > 0 && best[place - 1][1] < value) place -= 1;
    best.splice(place, 0, [k, value]);
    if (best.length > limit) best.pop();
  }
  return best;
}
