/** Rows are locked in this order, and those of one kind by key, so that no two transactions wait for each other in a circle. */
const ORDER = [
  'account',
  'webhook',
  'token',
  'network',
  'container_manager',
  'cluster',
  'operation',
  'host_source',
  'host',
  'host_queue',
  'operation_host',
] as const;
export type LockedKind = (typeof ORDER)[number];

/** Keeps one transaction to the order: a lock out of turn is a mistake of ours, and is told at once on every engine. */
export class LockOrder {
  #last: { kind: LockedKind; key: string } | undefined;

  /** Called before each lock. Locking the same row again is fine. */
  next(kind: LockedKind, key: string): void {
    const last = this.#last;
    const step = last ? ORDER.indexOf(kind) - ORDER.indexOf(last.kind) : 1;
    if (last && (step < 0 || (step === 0 && key < last.key))) {
      throw new Error(`wrong lock order: ${kind} ${key} is locked after ${last.kind} ${last.key}`);
    }
    this.#last = { kind, key };
  }
}
