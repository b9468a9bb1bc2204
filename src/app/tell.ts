import type { Actor } from '../domain/actor.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { EventType } from '../domain/vocabulary.ts';
import type { Clock } from '../lib/clock.ts';
import type { Records } from '../store/records.ts';

export interface Happening {
  readonly type: EventType;
  /** The name or address of the record it happened to. */
  readonly subject: string;
  readonly cluster?: string | null;
  readonly host?: string;
  /** Never a secret. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Writes to the outbox what happened, by whom and from where. Called inside the transaction of the change, after the row that
 * changes was locked: so entries about one record are in the order in which they became true.
 */
export async function tell(
  records: Records,
  clock: Clock,
  actor: Actor,
  happenings: readonly Happening[],
): Promise<void> {
  const at = formatTimestamp(clock.now());
  await records.outbox.add(
    happenings.map(({ type, subject, cluster = null, host = null, data = {} }) => ({
      type,
      subject,
      actor: actor.account,
      address: actor.address,
      requestId: actor.requestId,
      at,
      cluster,
      host,
      data,
    })),
  );
}
