/** Hosts that are due, and who is at them, of one kind: work or checks. */
export interface Load {
  /** Those that nobody has; counted as far as it matters. */
  readonly due: number;
  /** Since when the first of them is. */
  readonly dueSinceMs: number | null;
  /** How many of them have been due for longer than the grace. */
  readonly overdue: number;
  /** Those that servers have, and this one among them. */
  readonly taken: number;
  readonly mine: number;
}

export interface Taker {
  /** How many servers are alive, this one among them. */
  readonly servers: number;
  /** How many more hosts this one can take. */
  readonly room: number;
  readonly nowMs: number;
}

export interface Share {
  /** How many to take now. */
  readonly take: number;
  /** In how long to look after what was left to others; 0: nothing was. */
  readonly lookInMs: number;
}

/** What a server leaves to the others, it leaves for so long. */
export const GRACE_MS = 300;

/**
 * How many of the hosts that are due a server takes, so that all servers have as many, and not whoever looks first has them all. What
 * nobody has taken within the grace is for whoever has room: a server that is full, frozen or dead holds up no host for longer.
 */
export function fairShare(load: Load, { servers, room, nowMs }: Taker): Share {
  const { due, dueSinceMs, overdue, taken, mine } = load;
  const share = Math.ceil((taken + due) / servers) - mine;
  const take = Math.max(0, Math.min(room, due, Math.max(share, overdue)));
  const isLeft = take < due && take < room;
  return { take, lookInMs: isLeft ? Math.max(0, (dueSinceMs ?? nowMs) + GRACE_MS - nowMs) : 0 };
}
