/**
 * Files that come when Python first reads them: the rest of the library, transparently.
 *
 * Python reads synchronously, so this asks synchronously; only a worker may.
 *
 * @typedef {import('./types.js').RuntimeFile} RuntimeFile
 */

import { readBundle } from './layout.js';

const EIO = 29; // WASI's number of an input or output error

/**
 * Put a file that is fetched on its first read in the place of `path`.
 * @param {any} FS
 * @param {string} path
 * @param {RuntimeFile} file - with absolute URL
 * @param {() => void} [before] - what must be done first
 */
export const addLazyFile = (FS, path, file, before = () => {}) =>
  addLazy(FS, path, file.bytes, () => {
    before();
    return bring(file);
  });

/**
 * Put the files of a bundle in their places; the bundle comes when asked for, or when one of them is read.
 * @param {any} FS
 * @param {[path: string, bytes: number][]} index - what is in the bundle
 * @param {RuntimeFile} file - the bundle, with absolute URL
 * @returns {() => Promise<void>} asks for it without making Python wait
 */
export function addLazyBundle(FS, index, file) {
  /** @type {Map<string, Uint8Array<ArrayBuffer>>|undefined} */
  let parts;
  const part = (/** @type {string} */ path) => {
    parts ??= new Map(readBundle(bring(file)));
    return /** @type {Uint8Array} */ (parts.get(path));
  };
  for (const [path, bytes] of index) addLazy(FS, path, bytes, () => part(path));
  return async () => {
    const response = await fetch(file.url);
    const data = new Uint8Array(await response.arrayBuffer());
    if (response.ok && data.length === file.bytes) parts ??= new Map(readBundle(data));
  };
}

/**
 * The contents; where they can't be had, Python gets an OSError, as from a bad disk.
 * @param {any} FS @param {() => Uint8Array} read
 */
function readOr(FS, read) {
  try {
    return read();
  } catch (problem) {
    console.warn('python:', problem);
    throw new FS.ErrnoError(EIO);
  }
}

/** @param {any} FS @param {string} path @param {number} bytes @param {() => Uint8Array} read */
function addLazy(FS, path, bytes, read) {
  const { exists } = FS.analyzePath(path);
  if (exists) FS.unlink(path);
  const node = FS.create(path, 0o444);
  const { node: entry } = FS.lookupPath(path);
  FS.close(node);
  entry.usedBytes = bytes;
  Object.defineProperty(entry, 'contents', {
    configurable: true,
    get() {
      const contents = readOr(FS, read);
      Object.defineProperty(entry, 'contents', { value: contents, writable: true });
      return contents;
    },
  });
}

/**
 * A file, while Python waits.
 * @param {RuntimeFile} file
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bring(file) {
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
