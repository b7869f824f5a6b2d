/**
 * How long the loader waits for what may never come; whoever boots may say otherwise.
 *
 * @typedef {typeof PATIENCE} Patience
 */

/** In milliseconds. */
export const PATIENCE = {
  helper: 4_000, // a second worker that says nothing for so long is done without
  stall: 20_000, // a line that brings nothing for so long is asked again
  pauses: [300, 1_200], // before a file is asked for again, as often as there are pauses
};
