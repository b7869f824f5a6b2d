/**
 * How long the kernel waits for what may never come. Whoever makes a `Kernel` may say otherwise; the
 * page keeps it and hands it on to every worker with its order.
 *
 * @typedef {typeof PATIENCE} Patience
 */

import { PATIENCE as LOADING } from '../../pyodide-snapshot/load/patience.js';

/** In milliseconds. */
export const PATIENCE = {
  ...LOADING, // for files
  hello: 15_000, // a worker that says nothing for so long was refused
  saving: 1_500, // for a memory that is on its way: Stop has promised to be over in two seconds
};
