/**
 * The page's own tools: run all, restart, restore, take the edits along, bring shared ones in, theme.
 */
import { download, fromHash, toHash, toNotebook, toPython } from './edits.js';

/**
 * @param {Document} page
 * @param {object} tools
 * @param {import('../cell/runner.js').Runner} tools.runner
 * @param {import('../../kernel/page/kernel.js').Kernel} tools.kernel
 * @param {string} tools.lesson - its file's name
 * @param {(message: string) => void} tools.say
 */
export function mountMenu(page, { runner, kernel, lesson, say }) {
  /** @param {string} action @param {(button: HTMLElement) => unknown} act */
  const on = (action, act) => {
    for (const node of page.querySelectorAll(`.top [data-action="${action}"]`)) {
      const button = /** @type {HTMLElement} */ (node);
      button.hidden = false;
      button.addEventListener('click', async () => {
        await act(button);
      });
    }
  };
  const texts = () => runner.cells.map((cell) => cell.text);
  for (const menu of page.querySelectorAll('details.menu')) openAndClose(/** @type {any} */ (menu));

  on('run-all', () => runner.runAll());
  page.querySelector('.top [data-action="run-all"]')?.addEventListener('pointerenter', () => kernel.warm());
  on('restart', async () => {
    await runner.restart();
    say('Python empieza de nuevo, sin variables.');
  });
  on('restore-all', () => {
    for (const cell of runner.cells) {
      const mine = cell.source;
      if (mine === cell.original) continue;
      cell.replace(cell.original);
      cell.offer('Has restaurado el código original.', mine, 'Recuperar el mío');
    }
  });
  on('save-py', () => download(toPython(texts()), `${lesson}.py`, 'text/x-python'));
  on('save-ipynb', async () => {
    const answer = await fetch(page.body.dataset.notebook ?? '');
    download(toNotebook(await answer.json(), texts()), `${lesson}.ipynb`, 'application/x-ipynb+json');
  });
  on('share', async () => {
    const address = new URL(location.href);
    address.hash = await toHash(texts());
    try {
      await navigator.clipboard.writeText(address.href);
      say('Enlace copiado: quien lo abra verá tus celdas, sin ejecutarlas.');
    } catch {
      location.hash = address.hash;
      say('El enlace está en la barra de direcciones: cópialo de ahí.');
    }
  });
  on('theme', switchTheme);
  void bringShared(runner, say);
  addEventListener('hashchange', () => void bringShared(runner, say));
}

/**
 * Put the cells that the address carries beside the reader's own; run nothing.
 * @param {import('../cell/runner.js').Runner} runner
 * @param {(message: string) => void} say
 */
async function bringShared(runner, say) {
  const shared = await fromHash(location.hash);
  if (!shared) return;
  for (const cell of runner.cells) {
    const source = shared[cell.name];
    if (source === undefined || source === cell.source) continue;
    cell.offer('El enlace trae otra versión de esta celda.', source, 'Verla');
  }
  say('Este enlace trae celdas editadas: están señaladas, y ninguna se ejecuta sola.');
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  try {
    localStorage.setItem('tema', root.dataset.theme);
  } catch {
    // storage refused: the choice lasts as long as the page
  }
}

/**
 * A menu closes by Escape, by a choice, and by a click elsewhere.
 * @param {HTMLDetailsElement} menu
 */
function openAndClose(menu) {
  menu.hidden = false;
  const close = () => {
    if (!menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus({ preventScroll: true });
  };
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  menu.addEventListener('click', (event) => {
    if (/** @type {Element} */ (event.target).closest('button')) close();
  });
  document.addEventListener('click', (event) => {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  });
}
