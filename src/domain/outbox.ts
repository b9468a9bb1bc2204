import type { Actor } from './actor.ts';
import type { Happening } from './happening.ts';
import type { AuditType } from './vocabulary.ts';

/** Something that happened: to which record, by whom, from where, in which request, when. */
export interface OutboxEntry {
  readonly type: AuditType;
  /** The name or address of the record it happened to. */
  readonly subject: string;
  readonly actor: string;
  readonly address: string;
  readonly requestId: string;
  readonly at: string;
  readonly cluster: string | null;
  readonly host: string | null;
  /** More about it; never a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface NumberedOutboxEntry extends OutboxEntry {
  readonly id: number;
}

/** What happened, by whom and when, as it is kept. */
export const toOutboxEntry = (
  happening: Happening,
  { account, address, requestId }: Actor,
  at: string,
): OutboxEntry => ({
  actor: account,
  address,
  requestId,
  at,
  cluster: null,
  host: null,
  data: {},
  ...happening,
});
