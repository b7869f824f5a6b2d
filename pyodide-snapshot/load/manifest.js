/**
 * The manifest as a worker can use it: every address absolute, also those of the lock's wheels.
 * @typedef {import('./types.js').Manifest} Manifest
 * @param {Manifest} manifest
 * @param {string} [base] - what its addresses are relative to
 * @returns {Manifest}
 */
export function withAbsoluteUrls(manifest, base = location.href) {
  const { files, lock } = structuredClone(manifest);
  for (const file of Object.values(files)) file.url = new URL(file.url, base).href;
  for (const entry of Object.values(lock.packages)) entry.file_name = files[entry.file_name].url;
  return { ...manifest, files, lock };
}
