import type { EventType, Role } from '../vocabulary.ts';
import { ADMIN_NOUNS, EVENT_TYPES, nounOf } from '../vocabulary.ts';
import type { Actor } from './actor.ts';

/** Administrators see secrets in plain text; in a session, only while it is confirmed. */
export const maySeeSecrets = ({ role, session }: Pick<Actor, 'role' | 'session'>): boolean =>
  role === 'admin' && (session === undefined || session.isConfirmed);

/** Who may enrol other hosts than the one that calls. */
export const mayEnrolOthers = (role: Role): boolean => role === 'admin' || role === 'operator';

/** The types of events that a role is not shown. */
export const hiddenEvents = (role: Role): readonly EventType[] =>
  role === 'admin' ? [] : EVENT_TYPES.filter(type => ADMIN_NOUNS.has(nounOf(type)));
