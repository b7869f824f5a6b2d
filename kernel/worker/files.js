/**
 * What cells wrote to Python's file system, which lives outside its memory: taken along with a saved
 * memory and put back with it, the open files too.
 *
 * @typedef {import('../protocol.js').Files} Files
 */

const PLACES = ['/home/pyodide', '/tmp']; // where cells may write
const ROOM = 8 * 2 ** 20; // bytes of files that travel with each saved memory
const STREAMS = 3; // stdin, stdout, stderr: the worker's own
const WRITING_ANEW = 0o100 | 0o200 | 0o1000; // O_CREAT, O_EXCL, O_TRUNC

/**
 * @param {any} FS
 * @returns {Files}
 */
export function takeFiles(FS) {
  /** @type {Files} */
  const files = { cwd: FS.cwd(), folders: [], data: [], open: [], left: [] };
  let room = ROOM;
  for (const { path, node } of nodesBelow(FS, PLACES)) {
    if (FS.isDir(node.mode)) files.folders.push(path);
    else if (!FS.isFile(node.mode)) continue;
    else if (node.usedBytes > room) files.left.push(path);
    else {
      room -= node.usedBytes;
      files.data.push([path, FS.readFile(path)]);
    }
  }
  const kept = new Set(files.data.map(([path]) => path));
  for (const stream of FS.streams.slice(STREAMS)) {
    if (!stream) continue;
    const { fd, path, flags, position } = stream;
    if (kept.has(path)) files.open.push({ fd, path, flags, position });
    else if (!files.left.includes(path)) files.left.push(path);
  }
  return files;
}

/**
 * @param {any} FS @param {string[]} places
 * @returns {Generator<{path: string, node: any}>} folders before what is in them
 */
function* nodesBelow(FS, places) {
  for (const place of places) {
    if (!FS.analyzePath(place).exists) continue;
    for (const name of FS.readdir(place)) {
      if (name === '.' || name === '..') continue;
      const path = `${place}/${name}`;
      const { node } = FS.lookupPath(path);
      yield { path, node };
      if (FS.isDir(node.mode)) yield* nodesBelow(FS, [path]);
    }
  }
}

/**
 * Put them back into a fresh file system.
 * @param {any} FS @param {Files} files
 */
export function putFiles(FS, { cwd, folders, data, open }) {
  for (const path of folders) FS.mkdirTree(path);
  for (const [path, bytes] of data) FS.writeFile(path, bytes);
  if (FS.analyzePath(cwd).exists) FS.chdir(cwd);
  for (const { fd, path, flags, position } of open) {
    const stream = FS.open(path, flags & ~WRITING_ANEW);
    const there = stream.fd === fd ? stream : FS.dupStream(stream, fd);
    there.position = position;
    if (there !== stream) FS.close(stream);
  }
}
