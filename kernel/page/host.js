/** Where this host has the runtime's files, and what it does to them. */

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

/**
 * The manifest as a worker can use it: every address absolute, also those of the lock's wheels.
 * @param {import('../protocol.js').Runtime} runtime
 * @returns {import('../protocol.js').Runtime}
 */
export function withAbsoluteUrls(runtime) {
  const { files, lock } = structuredClone(runtime);
  for (const file of Object.values(files)) file.url = new URL(file.url, location.href).href;
  for (const entry of Object.values(lock.packages)) entry.file_name = files[entry.file_name].url;
  return { ...runtime, files, lock };
}
