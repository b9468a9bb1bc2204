import type { EventPayloads } from '../../contract/event-payloads.ts';
import type { Actor } from '../accounts/account.ts';
import type { Address } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import type { EventType } from '../vocabulary.ts';

interface EventHeader<Type extends EventType> {
  readonly type: Type;
  /** The name, address or ID of the affected record. */
  readonly subject: string;
  readonly cluster?: RecordName | null;
  readonly host?: Address;
  readonly operation?: string;
}

type PayloadOf<Type extends EventType> = keyof EventPayloads[Type] extends never
  ? unknown
  : { readonly data: EventPayloads[Type] };

export type DomainEvent = { [Type in EventType]: EventHeader<Type> & PayloadOf<Type> }[EventType];

export interface OutboxEntry {
  readonly type: EventType;
  readonly subject: string;
  readonly actor: string;
  readonly address: string;
  readonly requestId: string;
  readonly at: string;
  readonly cluster: string | null;
  readonly host: string | null;
  readonly operation: string | null;
  /** A JSON object without secrets. Text, because the hash chain of the log covers these exact bytes. */
  readonly dataJson: string;
}

export interface PendingOutboxEntry extends OutboxEntry {
  readonly outboxId: number;
}

export const toOutboxEntry = (event: DomainEvent, { account, address, requestId }: Actor, at: string): OutboxEntry => ({
  type: event.type,
  subject: event.subject,
  actor: account,
  address,
  requestId,
  at,
  cluster: event.cluster ?? null,
  host: event.host ?? null,
  operation: event.operation ?? null,
  dataJson: JSON.stringify('data' in event ? event.data : {}),
});
