// From pointer, focus and keys to what is lit and chosen.

import { walk } from './keys.js';
import { sameLine } from './state.js';

/** @typedef {import('./map.js').MapPanel} MapPanel */
/** @typedef {import('./payload.js').Model} Model */
/** @typedef {import('./state.js').Lit} Lit */
/** @typedef {import('./state.js').State} State */
/**
 * @typedef {object} Desk what the controls act on
 * @property {() => State} state
 * @property {() => Model} model
 * @property {() => void} schedule light again, at most once a frame
 * @property {(change: Partial<State>) => void} change
 * @property {(letter: string) => boolean} press a control by its letter
 */

/** @param {Desk} desk */
export function control(desk) {
  const point = (/** @type {Lit | null} */ lit) => {
    desk.state().hover = lit;
    desk.schedule();
  };

  const focus = (/** @type {Lit | null} */ lit) => {
    const state = desk.state();
    if (lit) state.hover = null; // the latest word counts: a resting pointer doesn't hold the keyboard
    if (!(lit && sameLine(state.focus, lit))) state.focus = lit;
    desk.schedule();
  };

  /** Lock a row or column, or free it when it is the locked one. */
  const pick = (/** @type {Lit} */ lit, /** @type {MapPanel} */ panel) => {
    const state = desk.state();
    const free = sameLine(state.locked, lit);
    const cell = lit.cell ?? (sameLine(state.focus, lit) ? state.focus?.cell ?? null : null);
    panel.focus(lit);
    state.locked = free ? null : { ...lit, cell };
    state.focus = free ? null : { ...lit, cell };
    desk.schedule();
  };

  const key = (/** @type {KeyboardEvent} */ event, /** @type {Lit} */ here, /** @type {MapPanel} */ panel) => {
    if (event.altKey || event.metaKey || event.shiftKey) return;
    const state = desk.state();
    const from = state.focus && sameLine(state.focus, here) ? state.focus : here;
    const to = walk(from, event.key, event.ctrlKey, desk.model());
    if (!to) return;
    event.preventDefault();
    state.locked = null;
    state.hover = null;
    panel.focus(to);
    state.focus = to;
    desk.schedule();
  };

  /** Esc frees; 1–9 choose a head; letters press a control. */
  const shortcut = (/** @type {KeyboardEvent} */ event) => {
    const { target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') {
      Object.assign(desk.state(), { locked: null, hover: null, focus: null });
      desk.schedule();
      return;
    }
    const typing = target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
      || (target instanceof HTMLInputElement && target.type !== 'radio');
    if (typing) return;
    if (/^[1-9]$/.test(event.key)) {
      if (Number(event.key) <= desk.model().numHeads) desk.change({ head: Number(event.key) - 1, mean: false });
    } else if (event.key.length === 1 && desk.press(event.key)) event.preventDefault();
  };

  return { point, focus, pick, key, shortcut };
}
