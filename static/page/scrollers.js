/**
 * Formulas, tables and listings are stops of the Tab key only where there is something to scroll.
 */

/** @param {ParentNode} root */
export function mountScrollers(root) {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = target;
      const scrolls = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
      if (scrolls || target === document.activeElement) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });
  for (const node of root.querySelectorAll('.formula, .table-scroll, .chart-scroll, .code-block > pre')) {
    sizes.observe(node);
  }
}
