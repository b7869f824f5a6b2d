/** Outcomes that no run of Python has given. */

/**
 * An outcome that is not the reader's code's doing.
 * @param {import('./protocol.js').Failed['kind']} kind
 * @param {string} name
 * @param {string} message
 * @returns {import('./protocol.js').Failed}
 */
export const failure = (kind, name, message) => ({
  status: 'failed',
  kind,
  name,
  message,
  line: null,
  traceback: '',
  display: [],
});
