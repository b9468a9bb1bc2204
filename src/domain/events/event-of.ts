import type { EventNoun, EventType } from '../vocabulary.ts';
import { nounOf } from '../vocabulary.ts';
import type { LogEntry } from './event-log.ts';

/** An entry of the log as those see it who follow events, in the words of the wire. Who did it, and from where, is for the audit. */
export interface Event {
  readonly id: number;
  readonly type: EventType;
  readonly at: string;
  readonly cluster: string | null;
  readonly host: string | null;
  readonly operation: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Nouns of events whose record no other field names. */
const NAMED: ReadonlySet<EventNoun> = new Set([
  'account',
  'container_manager',
  'network',
  'token',
  'webhook',
]);

export const eventOf = (entry: LogEntry): Event => {
  const { id, type, at, cluster, host, operation, subject, dataJson } = entry;
  const name = NAMED.has(nounOf(type)) ? { name: subject } : {};
  return { ...{ id, type, at, cluster, host, operation }, data: { ...name, ...JSON.parse(dataJson) } };
};
