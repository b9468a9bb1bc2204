// Whether a server can trust its own eyes. When most of the hosts that were well stop answering at once, it is more likely that the
// server has lost its network than that they all died.

/** Hosts that were well when they were last looked at: how many of them answered then, and how many did not. */
export interface Sighting {
  readonly silent: number;
  readonly answered: number;
}

/** Fewer than this may well have failed each for itself. */
const FEWEST_SILENT = 3;

/** Whether so many are silent that it must be the server's own fault. */
export const isOwnFault = ({ silent, answered }: Sighting): boolean =>
  silent >= FEWEST_SILENT && silent > answered;
