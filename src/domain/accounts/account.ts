import type { TraceContext } from '../../lib/tracer.ts';
import type { RecordName } from '../record-name.ts';
import type { EventType, Role } from '../vocabulary.ts';
import { ADMIN_ONLY_RESOURCES, EVENT_TYPES, eventResource } from '../vocabulary.ts';

export interface Account {
  readonly name: RecordName;
  readonly role: Role;
  /** A memory-hard hash with its parameters and salt. */
  readonly passwordHash: string;
  /** New with every change, so that what was remembered of an older state is void. */
  readonly revision: string;
  readonly createdAt: string;
  readonly changedAt: string;
}

/** The user name under which enrolment tokens are sent; no account can have it. */
export const RESERVED_ACCOUNT_NAME = 'token';

/** An enrolment token, and not another one that may have its name later. */
export interface TokenReference {
  readonly id: string;
  readonly name: RecordName;
}

/** A session by which somebody calls. */
export interface SessionReference {
  readonly id: string;
  /** When it ends, on the monotonic clock of this server. */
  readonly expiresAtMs: number;
  /** Whether the password was confirmed within `CONFIRMED_FOR_MS` before the session was read. */
  readonly isConfirmed: boolean;
}

/** Who asks for a change, and from where: what the outbox keeps beside what happened. */
export interface Actor {
  readonly account: string;
  readonly role: Role;
  /** The caller's address, or `''` for what the service does on its own machine. */
  readonly address: string;
  readonly requestId: string;
  /** Of the request, where it is traced: what the change leaves to be done belongs to the same trace. */
  readonly trace?: TraceContext;
  /** By which it was let in, where that is an enrolment token. */
  readonly token?: TokenReference;
  /** By which it was let in, where that is a session. */
  readonly session?: SessionReference;
  /** The revision of the account that was let in; a token has none. */
  readonly revision?: string;
}

/** The service itself, or a person at its machine with access to its data. */
export const LOCAL_ACTOR: Actor = { account: '', role: 'admin', address: '', requestId: '' };

/** Administrators see secrets in plain text; in a session, only while it is confirmed. */
export const canReadSecrets = ({ role, session }: Pick<Actor, 'role' | 'session'>): boolean =>
  role === 'admin' && (session === undefined || session.isConfirmed);

/** Who may enrol other hosts than the one that calls. */
export const canEnrolOthers = (role: Role): boolean => role === 'admin' || role === 'operator';

/** The types of events that a role is not shown. */
export const hiddenEventTypes = (role: Role): readonly EventType[] =>
  role === 'admin' ? [] : EVENT_TYPES.filter(type => ADMIN_ONLY_RESOURCES.has(eventResource(type)));
