import type { EventType } from '../vocabulary.ts';
import type { LogEntry } from './event-log.ts';

/** Before an account is made anew it is removed. That a login failed changes nothing. */
const CHANGES_ACCOUNT: ReadonlySet<EventType> = new Set([
  'account.changed',
  'account.password_changed',
  'account.removed',
]);

/** Whether who was let in before may not be let in now. */
export const changesAccount = (type: EventType): boolean => CHANGES_ACCOUNT.has(type);

/** The ids of the sessions that somebody has ended; none for what is no sign-out. */
export function sessionsEnded({ type, dataJson }: Pick<LogEntry, 'type' | 'dataJson'>): readonly string[] {
  if (type !== 'account.signed_out') return [];
  const { sessions }: { readonly sessions?: unknown } = JSON.parse(dataJson);
  return Array.isArray(sessions) ? sessions.filter(id => typeof id === 'string') : [];
}
