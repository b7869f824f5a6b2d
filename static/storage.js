/**
 * What the reader typed, kept per lesson and cell in localStorage; works without it, too.
 */

const PREFIX = 'leccion';

/**
 * @typedef {{source: string, base: string}} Edit - the reader's text, and the lesson's it came from
 * @typedef {object} Store
 * @property {(cell: string) => Edit|null} load
 * @property {(cell: string, edit: Edit|null) => boolean} save - false where storage refuses
 */

/**
 * @param {string} lesson - its file's name: the key holds neither query nor hash
 * @returns {Store}
 */
export function createStore(lesson) {
  const key = (/** @type {string} */ cell) => `${PREFIX}:${lesson}:${cell}`;
  return {
    load(cell) {
      try {
        const edit = JSON.parse(localStorage.getItem(key(cell)) ?? 'null');
        return typeof edit?.source === 'string' ? edit : null;
      } catch {
        return null;
      }
    },
    save(cell, edit) {
      try {
        if (edit === null) localStorage.removeItem(key(cell));
        else localStorage.setItem(key(cell), JSON.stringify(edit));
        return true;
      } catch {
        return false;
      }
    },
  };
}
