import type { EventType, Role } from '../vocabulary.ts';
import { ADMIN_NOUNS, EVENT_TYPES, nounOf } from '../vocabulary.ts';

/** Who may see secrets in clear. */
export const maySeeSecrets = (role: Role): boolean => role === 'admin';

/** Who may enrol other hosts than the one that calls. */
export const mayEnrolOthers = (role: Role): boolean => role === 'admin' || role === 'operator';

/** The types of events that a role is not shown. */
export const hiddenEvents = (role: Role): readonly EventType[] =>
  role === 'admin' ? [] : EVENT_TYPES.filter(type => ADMIN_NOUNS.has(nounOf(type)));
