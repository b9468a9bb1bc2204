/** A login takes several milliseconds of the processor, in pieces. After so long requests come in between. */
export const TURN_MS = 5;
