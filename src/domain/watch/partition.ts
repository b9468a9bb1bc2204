// Whether a server is partitioned. When most of the hosts that were healthy stop answering at once, it is more likely that the server has
// lost its network than that all of them failed.

/** Results of the latest checks of hosts that were healthy before. */
export interface CheckCounts {
  readonly silent: number;
  readonly answered: number;
}

/** Fewer silent hosts than this may well have failed independently. */
const FEWEST_SILENT = 3;

export const looksPartitioned = ({ silent, answered }: CheckCounts): boolean =>
  silent >= FEWEST_SILENT && silent > answered;
