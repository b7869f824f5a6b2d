/** Short numbers with a decimal comma, as an axis shows them. */

/** @param {number} value @param {number} [digits] significant ones @returns {string} */
export function short(value, digits = 3) {
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  let text = String(rounded);
  if (size >= 1e7 || (size > 0 && size < 1e-4)) text = rounded.toExponential();
  else if (size >= 10 ** digits) text = String(Math.round(value));
  return text.replace('.', ',').replace('-', '−');
}

/**
 * Round numbers that span [low, high]: steps of 1, 2 or 5 times a power of ten.
 * @param {number} low @param {number} high @param {number} [about] how many @returns {number[]}
 */
export function ticks(low, high, about = 5) {
  const raw = (high - low || Math.abs(high) || 1) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5].find((m) => m * power >= raw * 0.999) ?? 10) * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** To a tenth, as fine as a mark's place needs. @param {number} value */
export const tenth = (value) => Math.round(value * 10) / 10;
