/**
 * What the reader has solved, answered and predicted, kept per lesson in localStorage.
 * Where storage refuses, it lasts as long as the page.
 */

const PREFIX = 'progreso:';

/**
 * @typedef {'exercise'|'quiz'|'bug'} Kind
 * @typedef {Record<string, any>} Entry - `done` says whether it counts
 * @typedef {object} Progress
 * @property {(kind: Kind, name: string) => Entry} get
 * @property {(kind: Kind, name: string, entry: Entry) => void} set
 * @property {(listen: () => void) => void} watch - told of every change, other tabs' too
 */

/**
 * @param {string} lesson - its file's name
 * @returns {Progress}
 */
export function createProgress(lesson) {
  const key = PREFIX + lesson;
  /** @type {Record<string, Entry>} */
  let known = {};
  /** @type {(() => void)[]} */
  const listeners = [];
  const refresh = () => {
    try {
      const read = JSON.parse(localStorage.getItem(key) ?? '{}');
      if (read && typeof read === 'object' && !Array.isArray(read)) known = read;
    } catch {
      // storage refused, or what it holds isn't ours: what this page knows stands
    }
  };
  const tell = () => listeners.forEach((listen) => listen());
  refresh();
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return;
    if (event.newValue === null) known = {};
    else refresh();
    tell();
  });
  return {
    get: (kind, name) => known[`${kind}:${name}`] ?? {},
    set(kind, name, entry) {
      refresh(); // another tab may have written since
      known[`${kind}:${name}`] = entry;
      try {
        localStorage.setItem(key, JSON.stringify(known));
      } catch {
        // full or refused: kept in `known`
      }
      tell();
    },
    watch: (listen) => void listeners.push(listen),
  };
}
