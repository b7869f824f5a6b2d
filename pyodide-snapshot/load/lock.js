/** Web Locks, by which one thread learns of the death of another. */

/**
 * Keep a lock for as long as this worker lives.
 * @param {string} name
 * @returns {Promise<void>|undefined} when it is held
 */
export function holdLock(name) {
  const { locks } = navigator;
  if (!locks) return undefined; // plain http elsewhere than localhost
  return new Promise((held) => {
    void locks.request(name, () => {
      held();
      return new Promise(() => {});
    });
  });
}

/** Act when whoever holds a lock is gone. @param {string} name @param {() => void} act */
export const whenLet = (name, act) => void navigator.locks?.request(name, act);
