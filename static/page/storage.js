/**
 * What the reader typed, kept per lesson and cell in localStorage; works without it, too.
 */

const PREFIX = 'leccion';

/**
 * @typedef {{source: string, base: string}} Edit - the reader's text, and the lesson's it came from
 * @typedef {object} Store
 * @property {(cell: string) => Edit|null} load
 * @property {(cell: string, edit: Edit|null) => boolean} save - false where storage refuses
 * @property {(listen: (cell: string, edit: Edit|null) => void) => void} watch - what other tabs save
 */

/**
 * @param {string} lesson - its file's name: the key holds neither query nor hash
 * @returns {Store}
 */
export function createStore(lesson) {
  const prefix = `${PREFIX}:${lesson}:`;
  return {
    load: (cell) => {
      try {
        return parse(localStorage.getItem(prefix + cell));
      } catch {
        return null;
      }
    },
    save(cell, edit) {
      try {
        if (edit === null) localStorage.removeItem(prefix + cell);
        else localStorage.setItem(prefix + cell, JSON.stringify(edit));
        return true;
      } catch {
        return false;
      }
    },
    watch: (listen) =>
      addEventListener('storage', ({ key, newValue }) => {
        if (key?.startsWith(prefix)) listen(key.slice(prefix.length), parse(newValue));
      }),
  };
}

/** @param {string|null} text @returns {Edit|null} */
function parse(text) {
  try {
    const edit = JSON.parse(text ?? 'null');
    return typeof edit?.source === 'string' ? edit : null;
  } catch {
    return null;
  }
}
