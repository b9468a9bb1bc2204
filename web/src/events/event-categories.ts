import type { Severity } from '#sdk/status-severity.ts';
import { getSeverity, isStatus } from '#sdk/status-severity.ts';
import type { EventType, Role } from '#vocabulary';
import { ADMIN_ONLY_RESOURCES, EVENT_TYPES, eventResource } from '#vocabulary';
import { toLabel } from '../ui/format/text.ts';
import type { EventLike } from './event-message-parts.ts';

/** The event types of one resource. */
export interface EventCategory {
  readonly name: string;
  readonly types: readonly string[];
}

export const EVENT_CATEGORIES: readonly EventCategory[] = [
  ...Map.groupBy<string, string>(EVENT_TYPES, eventResource),
].map(([name, types]) => ({ name, types }));

/** The server sends events of some resources only to administrators. */
export const visibleCategories = (role: Role): readonly EventCategory[] =>
  role === 'admin' ? EVENT_CATEGORIES : EVENT_CATEGORIES.filter(({ name }) => !ADMIN_ONLY_RESOURCES.has(name));

const TYPE_LABELS: Readonly<Record<string, string>> = {
  'account.login_failed': 'Sign-in failed',
  'account.signed_in': 'Signed in',
  'account.signed_out': 'Signed out',
  'account.password_confirmed': 'Password confirmed',
  'cluster.members': 'Cluster members changed',
  'cluster.status': 'Cluster status changed',
  'host.created': 'Host enrolled',
  'host.status': 'Host status changed',
  'operation.state': 'Operation paused, resumed or cancelling',
  'operation.host': 'Phase of a host changed',
  'operations.paused': 'All operations paused',
  'operations.resumed': 'All operations resumed',
} satisfies Partial<Record<EventType, string>>;

/** `Cluster created`, `Host credentials changed`. */
export const eventTypeLabel = (type: string): string => TYPE_LABELS[type] ?? toLabel(type.replace('.', '_'));

const WARNING_TYPES: ReadonlySet<string> = new Set<EventType>([
  'account.login_failed',
  'log.tampered',
  'request.denied',
  'webhook.disabled',
]);

/** Severity of the new status or state, if the event has one. */
export function eventSeverity({ type, data }: EventLike): Severity {
  if (WARNING_TYPES.has(type)) return 'warn';
  // The event does not contain whether hosts failed.
  if (type === 'operation.ended' && data['state'] === 'finished') return 'idle';
  const status = data['to'] ?? data['state'];
  return isStatus(status) ? getSeverity(status) : 'idle';
}
