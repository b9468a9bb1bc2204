import type { Severity } from '#sdk/status-severity.ts';
import { getSeverity, isStatus } from '#sdk/status-severity.ts';
import type { EventType, Role } from '#vocabulary';
import { ADMIN_ONLY_RESOURCES, EVENT_TYPES, eventResource } from '#vocabulary';
import type { EventLike } from './event-message-parts.ts';

/** What things happen to, and the types of that. */
export interface EventCategory {
  readonly name: string;
  readonly types: readonly string[];
}

export const EVENT_CATEGORIES: readonly EventCategory[] = [
  ...Map.groupBy<string, string>(EVENT_TYPES, eventResource),
].map(([name, types]) => ({ name, types }));

/** Those that somebody is told of. */
export const visibleCategories = (role: Role): readonly EventCategory[] =>
  role === 'admin'
    ? EVENT_CATEGORIES
    : EVENT_CATEGORIES.filter(({ name }) => !ADMIN_ONLY_RESOURCES.has(name));

const WARNING_TYPES: ReadonlySet<string> = new Set<EventType>([
  'account.login_failed',
  'log.tampered',
  'request.denied',
  'webhook.disabled',
]);

/** What is to be thought of an event: as of the status that it tells of, where it tells of one. */
export function eventSeverity({ type, data }: EventLike): Severity {
  if (WARNING_TYPES.has(type)) return 'warn';
  // The event does not say whether hosts failed.
  if (type === 'operation.ended' && data['state'] === 'finished') return 'idle';
  const status = data['to'] ?? data['state'];
  return isStatus(status) ? getSeverity(status) : 'idle';
}
