// The attention heatmap: mounts on a node, draws a payload, redraws in place.

import { Heatmap } from './heatmap/widget.js';

/** @typedef {import('./heatmap/widget.js').Options} Options */
/**
 * @typedef {object} Handle
 * @property {(payload: unknown) => void} update redraw in place; throws in Spanish on wrong data and
 *   leaves the last picture standing
 * @property {(head: number) => void} select show one head of the layer on view, counted from 0
 * @property {HTMLElement} element the region
 */

/**
 * Mount a heatmap.
 * @param {HTMLElement} node `<div class="heatmap" data-heatmap="name">`, empty or with the static figure
 * @param {unknown} [payload] what `show_heads` sent; null takes the JSON baked into the node
 * @param {Options} [options]
 * @returns {Handle}
 * @throws {Error} in Spanish, when the payload is not what it must be
 */
export function mountHeatmap(node, payload = null, options = {}) {
  const baked = node.querySelector('script.heatmap-payload')?.textContent;
  const heatmap = new Heatmap(node, payload ?? (baked ? JSON.parse(baked) : null), options);
  return {
    update: (next) => heatmap.update(next),
    select: (head) => heatmap.change({ head, mean: false }),
    element: heatmap.element,
  };
}
