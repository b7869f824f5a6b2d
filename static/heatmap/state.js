// What the reader chose, as plain data, and what survives when new data come.

/** @typedef {import('./payload.js').Model} Model */
/**
 * @typedef {object} Lit a lit row (query) or column (key)
 * @property {'row' | 'col'} axis
 * @property {number} index
 * @property {number | null} cell one square of it, when pointed at
 *
 * @typedef {object} State
 * @property {number} layer
 * @property {number} head
 * @property {boolean} mean the mean of the heads instead of one
 * @property {number | null} pinned a second head, beside the first
 * @property {'absolute' | 'row'} scale
 * @property {boolean} off the head is switched off: show ‖Δoutput‖
 * @property {'map' | 'table' | 'similarity'} view
 * @property {boolean} whole the whole map in one screen, instead of scrolling
 * @property {Lit | null} locked
 * @property {Lit | null} hover
 * @property {Lit | null} focus
 */

/** @returns {State} */
export const initialState = () => ({
  layer: 0, head: 0, mean: false, pinned: null, scale: 'absolute', off: false,
  view: 'map', whole: false, locked: null, hover: null, focus: null,
});

/** The row or column to light: a lock wins over the pointer, the pointer over the focus. @param {State} state */
export const litOf = (state) => state.locked ?? state.hover ?? state.focus;

/** @param {Lit | null} a @param {Lit | null} b */
export const sameLine = (a, b) => a?.axis === b?.axis && a?.index === b?.index;

/**
 * Keep of a state what still exists in new data.
 * @param {State} state @param {Model} model @returns {State}
 */
export function carryOver(state, model) {
  const keep = (/** @type {Lit | null} */ lit) => {
    if (!lit) return null;
    const [own, other] = lit.axis === 'row' ? [model.nQ, model.nK] : [model.nK, model.nQ];
    if (lit.index >= own) return null;
    return { ...lit, cell: lit.cell !== null && lit.cell < other ? lit.cell : null };
  };
  const { pinned } = state;
  return {
    ...state,
    layer: state.layer < model.numLayers ? state.layer : 0,
    head: state.head < model.numHeads ? state.head : 0,
    pinned: pinned !== null && pinned < model.numHeads ? pinned : null,
    off: state.off && model.headDeltas !== null,
    view: state.view === 'similarity' && model.numHeads < 2 ? 'map' : state.view,
    locked: keep(state.locked), hover: null, focus: keep(state.focus),
  };
}
