/** What is known of this host: whether it compresses the runtime's files. */

const KEY = 'kernel-inflate';

/** Whether the host compresses nothing, as far as we know: ask for .gz at once. */
export function inflates() {
  try {
    return localStorage.getItem(KEY) === '1';
  } catch {
    return false; // storage is off
  }
}

/** @param {boolean} inflate */
export function rememberInflates(inflate) {
  try {
    if (inflate) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // storage is off: the next visit finds out again
  }
}
