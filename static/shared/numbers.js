/**
 * Numbers as the lesson's reader writes them. The attention viewer has its own (`heatmap/words.js`).
 */

/**
 * 1234.5 → "1234,5".
 * @param {number} value
 * @param {number} most - decimals
 * @param {number} [least] - decimals, zeros if need be
 */
export const spanish = (value, most, least = most) =>
  value.toLocaleString('es', { minimumFractionDigits: least, maximumFractionDigits: most });
