import type { LogEntry } from '../../domain/events/event-log.ts';
import { eventOf } from '../../domain/events/event-of.ts';
import type { OutputHint } from '../../domain/events/output-hint.ts';

const encoded = new WeakMap<LogEntry, string>();

/** An event as JSON, written once for all who are told of it. */
export function eventJson(entry: LogEntry): string {
  const known = encoded.get(entry);
  if (known !== undefined) return known;
  const json = JSON.stringify(eventOf(entry));
  encoded.set(entry, json);
  return json;
}

export const hintJson = ({ operation, hosts }: OutputHint): string =>
  JSON.stringify({ type: 'output', operation, hosts });
