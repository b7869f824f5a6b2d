/**
 * DOM nodes in one line: text goes in as text, never as markup.
 *
 * The attention viewer has helpers of its own (`heatmap/dom.js`), so that it can be used alone.
 */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, className = '', text = '') {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/**
 * A button that sends no form.
 * @param {string} label
 * @param {() => void} act
 * @param {string} [className]
 */
export function button(label, act, className = 'button') {
  const made = element('button', className, label);
  made.type = 'button';
  made.addEventListener('click', act);
  return made;
}
