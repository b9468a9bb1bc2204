import type { Actor } from '../accounts/actor.ts';
import type { EventType } from '../vocabulary.ts';
import type { Happening } from './happening.ts';

/** Something that happened: to which record, by whom, from where, in which request, when. */
export interface OutboxEntry {
  readonly type: EventType;
  /** The name, address or id of the record it happened to. */
  readonly subject: string;
  readonly actor: string;
  readonly address: string;
  readonly requestId: string;
  readonly at: string;
  readonly cluster: string | null;
  readonly host: string | null;
  /** The id of an operation. */
  readonly operation: string | null;
  /** More about it, an object as JSON; never a secret. Kept as it was written: the chain of the log is over this text. */
  readonly dataJson: string;
}

/** One that is not in the log yet. */
export interface WaitingEntry extends OutboxEntry {
  readonly outboxId: number;
}

/** What happened, by whom and when, as it is kept. */
export const toOutboxEntry = (
  happening: Happening,
  { account, address, requestId }: Actor,
  at: string,
): OutboxEntry => ({
  type: happening.type,
  subject: happening.subject,
  actor: account,
  address,
  requestId,
  at,
  cluster: happening.cluster ?? null,
  host: happening.host ?? null,
  operation: happening.operation ?? null,
  dataJson: JSON.stringify('data' in happening ? happening.data : {}),
});
