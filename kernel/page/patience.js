/**
 * How long the kernel waits for what may never come. Whoever makes a `Kernel` may say otherwise; the
 * page keeps it and hands it on to every worker with its order.
 *
 * @typedef {typeof PATIENCE} Patience
 */

/** In milliseconds. */
export const PATIENCE = {
  hello: 15_000, // a worker that says nothing for so long was refused
  helper: 4_000, // a second worker that says nothing for so long is done without
  stall: 20_000, // a line that brings nothing for so long is asked again
  pauses: [300, 1_200], // before a file is asked for again, as often as there are pauses
  saving: 1_500, // for a memory that is on its way: Stop has promised to be over in two seconds
};
