import type { EventNoun } from '../events/event-noun.ts';
import { nounOf } from '../events/event-noun.ts';
import type { EventType, Role } from '../vocabulary.ts';
import { EVENT_TYPES } from '../vocabulary.ts';

/** Who may see secrets in clear. */
export const maySeeSecrets = (role: Role): boolean => role === 'admin';

/** Who may enrol other hosts than the one that calls. */
export const mayEnrolOthers = (role: Role): boolean => role === 'admin' || role === 'operator';

/** Nouns of events that only those see who manage accounts: what happens to accounts and tokens, and what people were refused. */
const FOR_ADMINS: ReadonlySet<EventNoun> = new Set(['account', 'request', 'token', 'webhook']);

/** The types of events that a role is not shown. */
export const hiddenEvents = (role: Role): readonly EventType[] =>
  role === 'admin' ? [] : EVENT_TYPES.filter(type => FOR_ADMINS.has(nounOf(type)));
