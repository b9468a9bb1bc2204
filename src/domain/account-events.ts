import type { EventType } from './vocabulary.ts';

/** Before an account is made anew it is removed. That a login failed changes nothing. */
const CHANGES_ACCOUNT: ReadonlySet<EventType> = new Set([
  'account.changed',
  'account.password',
  'account.removed',
]);

/** Whether who was let in before may not be let in now. */
export const changesAccount = (type: EventType): boolean => CHANGES_ACCOUNT.has(type);
