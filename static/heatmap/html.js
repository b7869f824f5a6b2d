// `el` of dom.js where there is no document: the same elements as text, for a builder.

/** @param {string} text @returns {string} text as XML and HTML; what XML 1.0 cannot hold is replaced */
export const escape = (text) => text
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
  .replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Finished markup; whatever else stands in an element is text. */
export class Html {
  /** @param {string} markup */
  constructor(markup) {
    this.markup = markup;
  }

  toString() {
    return this.markup;
  }
}

/**
 * An element.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes] as in dom.js
 * @param {...(Html | string | null)} children strings become text
 * @returns {Html}
 */
export function el(tag, attributes = {}, ...children) {
  let open = tag;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    open += value === true ? ` ${name}` : ` ${name}="${escape(String(value))}"`;
  }
  const inside = children.map((child) => (child instanceof Html ? child.markup : escape(child ?? '')));
  return new Html(`<${open}>${inside.join('')}</${tag}>`);
}
