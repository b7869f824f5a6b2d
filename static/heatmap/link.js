// A place in a heatmap as the end of an address: #mapa=nombre&cabeza=2&fila=3&escala=fila&frase=…

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').Lit} Lit */

/**
 * The state that a link restores. Heads, rows, columns and layers count from 1, as the page does.
 * @param {string} name of the heatmap @param {State} state @param {string} sentence the reader's own, or ''
 * @returns {string} without the #
 */
export function toHash(name, state, sentence) {
  const params = new URLSearchParams({ mapa: name });
  if (state.layer) params.set('capa', String(state.layer + 1));
  params.set('cabeza', state.mean ? 'media' : String(state.head + 1));
  if (state.pinned !== null) params.set('con', String(state.pinned + 1));
  const lit = state.locked ?? state.focus;
  if (lit) params.set(lit.axis === 'row' ? 'fila' : 'columna', String(lit.index + 1));
  if (state.scale === 'row') params.set('escala', 'fila');
  if (state.off) params.set('apagada', '1');
  if (state.view !== 'map') params.set('vista', state.view === 'table' ? 'tabla' : 'parecido');
  if (sentence) params.set('frase', sentence);
  return params.toString();
}

/**
 * Read an address's end. Section anchors and other heatmaps' links give null.
 * @param {string} hash `location.hash` @param {string} name of the heatmap
 * @returns {{change: Partial<State>, sentence: string} | null}
 */
export function fromHash(hash, name) {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  if (params.get('mapa') !== name) return null;
  const count = (/** @type {string} */ key) => {
    const value = Number(params.get(key));
    return Number.isInteger(value) && value >= 1 ? value - 1 : null;
  };
  const row = count('fila');
  const column = count('columna');
  /** @type {Lit | null} */
  const locked = row !== null ? { axis: 'row', index: row, cell: null }
    : column !== null ? { axis: 'col', index: column, cell: null } : null;
  const view = params.get('vista');
  return {
    change: {
      layer: count('capa') ?? 0, head: count('cabeza') ?? 0, mean: params.get('cabeza') === 'media',
      pinned: count('con'), scale: params.get('escala') === 'fila' ? 'row' : 'absolute',
      off: params.get('apagada') === '1', view: view === 'tabla' ? 'table' : view === 'parecido' ? 'similarity' : 'map',
      locked,
    },
    sentence: (params.get('frase') ?? '').slice(0, 400),
  };
}
