/**
 * Files that come when Python first reads them: the rest of the library, transparently.
 *
 * Python reads synchronously, so this asks synchronously; only a worker may.
 *
 * @typedef {import('./types.js').RuntimeFile} RuntimeFile
 */

/**
 * Put a file that is fetched on its first read in the place of `path`.
 * @param {any} FS
 * @param {string} path
 * @param {RuntimeFile} file - with absolute URL
 */
export function addLazyFile(FS, path, file) {
  const { exists } = FS.analyzePath(path);
  if (exists) FS.unlink(path);
  const node = FS.create(path, 0o444);
  const { node: entry } = FS.lookupPath(path);
  FS.close(node);
  entry.usedBytes = file.bytes;
  Object.defineProperty(entry, 'contents', {
    configurable: true,
    get() {
      const contents = bring(file);
      Object.defineProperty(entry, 'contents', { value: contents, writable: true });
      return contents;
    },
  });
}

/**
 * @param {RuntimeFile} file
 * @returns {Uint8Array}
 */
function bring(file) {
  const request = new XMLHttpRequest();
  request.open('GET', file.url, false);
  request.responseType = 'arraybuffer';
  request.send();
  const length = request.response?.byteLength;
  if (request.status !== 200 || length !== file.bytes) {
    throw new Error(`${file.url}: status ${request.status}, ${length} of ${file.bytes} bytes`);
  }
  return new Uint8Array(request.response);
}
