/**
 * The explorer of h: the slider chooses which of the builder's panels is seen.
 * Nothing is computed here: numbers, pictures and words are all in the page.
 */

/** @param {HTMLElement} node - the `<section data-explorer>` */
export function mountExplorer(node) {
  const panels = /** @type {HTMLElement[]} */ ([...node.querySelectorAll('.ex-panel')]);
  const rows = /** @type {HTMLElement[]} */ ([...node.querySelectorAll('tr[data-h]')]);
  const slider = /** @type {HTMLInputElement} */ (node.querySelector('input[type="range"]'));
  const output = /** @type {HTMLOutputElement} */ (node.querySelector('.ex-output'));

  const show = () => {
    const chosen = panels[Number(slider.value)];
    const said = chosen.dataset.said ?? '';
    for (const panel of panels) panel.hidden = panel !== chosen;
    for (const row of rows) {
      if (row.dataset.h === chosen.dataset.h) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
    slider.setAttribute('aria-valuetext', said);
    output.textContent = said;
  };

  slider.addEventListener('input', show);
  /** @type {HTMLElement} */ (node.querySelector('.ex-control')).hidden = false;
  show(); // a reloaded page may give the slider its last place back
}
