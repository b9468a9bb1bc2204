import type { LogEntry } from '../../domain/events/event-log.ts';
import { toEvent } from '../../domain/events/event-log.ts';
import type { OutputNotification } from '../../domain/events/signal.ts';

const encoded = new WeakMap<LogEntry, string>();

/** An event as JSON, written once for all who are told of it. */
export function eventJson(entry: LogEntry): string {
  const known = encoded.get(entry);
  if (known !== undefined) return known;
  const json = JSON.stringify(toEvent(entry));
  encoded.set(entry, json);
  return json;
}

export const hintJson = ({ operation, hosts }: OutputNotification): string =>
  JSON.stringify({ type: 'output', operation, hosts });
