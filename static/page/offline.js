/**
 * The copy for reading without a network: kept unless the reader switches it off.
 */
import { offerOffline } from '../../kernel/page/offline.js';

const SETTING = 'sin-red'; // 'no' in localStorage switches the copy off

/**
 * @param {import('../../kernel/page/kernel.js').Kernel} kernel
 * @param {{say: (message: string) => void}} options
 */
export function mountOffline(kernel, { say }) {
  const button = document.querySelector('[data-action="offline"]');
  let wanted = setting() !== 'no';
  /** @type {{keep: (runtime?: string[]) => void}} */
  let offline = { keep() {} };
  const apply = async () => {
    button?.setAttribute('aria-pressed', String(wanted));
    offline = await offerOffline(wanted);
    offline.keep(kernel.state === 'ready' ? runtimeOf(kernel) : []);
  };
  button?.addEventListener('click', () => {
    wanted = !wanted;
    remember(wanted);
    say(wanted ? 'La lección se guardará para leerla sin red.' : 'La copia sin red se ha borrado.');
    void apply();
  });
  kernel.addEventListener('state', (event) => {
    const { state } = /** @type {CustomEvent} */ (event).detail;
    if (state === 'ready') offline.keep(runtimeOf(kernel));
  });
  const start = () => void apply();
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

/** @param {import('../../kernel/page/kernel.js').Kernel} kernel */
const runtimeOf = ({ runtime }) =>
  Object.values(runtime.files)
    .filter(({ when }) => when !== 'lazy')
    .map(({ url }) => url);

function setting() {
  try {
    return localStorage.getItem(SETTING);
  } catch {
    return null;
  }
}

/** @param {boolean} wanted */
function remember(wanted) {
  try {
    if (wanted) localStorage.removeItem(SETTING);
    else localStorage.setItem(SETTING, 'no');
  } catch {
    // storage refused: the choice lasts as long as the page
  }
}
