// Walking the map with the keyboard: pure moves from one lit place to the next.

/** @typedef {import('./state.js').Lit} Lit */

const PAGE = 10;

/**
 * Where a key leads from a place.
 * @param {Lit} from a row or column, perhaps on one of its squares
 * @param {string} key `KeyboardEvent.key`
 * @param {boolean} ctrl
 * @param {{nQ: number, nK: number}} size
 * @returns {Lit | null} null when the key means nothing here
 */
export function walk(from, key, ctrl, { nQ, nK }) {
  const row = from.axis === 'row';
  const [count, length] = row ? [nQ, nK] : [nK, nQ];
  const { index, cell } = from;
  const to = (/** @type {number} */ i, /** @type {number | null} */ c) => (
    { axis: from.axis, index: Math.max(0, Math.min(count - 1, i)), cell: c });
  // Turned by 90° a column is walked as a row is.
  const turned = /** @type {Record<string, string>} */ ({
    ArrowUp: 'ArrowLeft', ArrowDown: 'ArrowRight', ArrowLeft: 'ArrowUp', ArrowRight: 'ArrowDown',
  });
  switch (row ? key : (turned[key] ?? key)) {
    case 'ArrowDown': return to(index + 1, cell);
    case 'ArrowUp':
      if (index > 0) return to(index - 1, cell);
      return { axis: row ? 'col' : 'row', index: cell ?? 0, cell: null }; // over the edge: the other labels
    case 'ArrowRight': return to(index, cell === null ? 0 : Math.min(cell + 1, length - 1));
    case 'ArrowLeft': return to(index, cell === null || cell === 0 ? null : cell - 1);
    case 'Home': return ctrl ? to(0, cell === null ? null : 0) : to(index, 0);
    case 'End': return ctrl ? to(count - 1, cell === null ? null : length - 1) : to(index, length - 1);
    case 'PageDown': return to(index + PAGE, cell);
    case 'PageUp': return to(index - PAGE, cell);
    default: return null;
  }
}
