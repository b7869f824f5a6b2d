// Small DOM helpers: build elements with text only, never markup.

/**
 * Create an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes] `true` sets an empty one; null, undefined and false skip it
 * @param {...(Node | string | null)} children strings become text nodes
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null) node.append(child);
  return node;
}

/**
 * Set an attribute or remove it.
 * @param {Element} node @param {string} name @param {string | null} value
 */
export function attribute(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/**
 * Set text only where it changed (a live region speaks again on every write).
 * @param {Element} node @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * A canvas's 2D context, sized in CSS pixels and scaled for the screen.
 * @param {HTMLCanvasElement} canvas @param {number} width CSS px @param {number} height CSS px
 * @returns {CanvasRenderingContext2D}
 */
export function sizedContext(canvas, width, height) {
  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.setTransform(w / Math.max(width, 1), 0, 0, h / Math.max(height, 1), 0, 0);
  return context;
}

let counter = 0;

/** A fresh id. @param {string} stem @returns {string} */
export const freshId = (stem) => `${stem}-${(counter += 1)}`;
