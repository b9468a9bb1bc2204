import type { TraceContext } from '../../lib/tracer.ts';
import type { RecordName } from '../record-name.ts';
import type { EventType, Role } from '../vocabulary.ts';
import { ADMIN_ONLY_RESOURCES, EVENT_TYPES, eventResource } from '../vocabulary.ts';

export interface Account {
  readonly name: RecordName;
  readonly role: Role;
  readonly passwordHash: string;
  /** Changes with every update, which invalidates cached logins and sessions. */
  readonly revision: string;
  readonly createdAt: string;
  readonly changedAt: string;
}

/** The user name of requests with an enrolment token. */
export const RESERVED_ACCOUNT_NAME = 'token';

/** The ID distinguishes the token from a later token of the same name. */
export interface TokenReference {
  readonly id: string;
  readonly name: RecordName;
}

export interface SessionReference {
  readonly id: string;
  /** On the monotonic clock of this server. */
  readonly expiresAtMs: number;
  /** Whether the password was confirmed within `CONFIRMATION_TTL_MS` before the session was read. */
  readonly isConfirmed: boolean;
}

export interface Actor {
  readonly account: string;
  readonly role: Role;
  /** `''` for actions of the service itself. */
  readonly address: string;
  readonly requestId: string;
  readonly trace?: TraceContext;
  /** Set if an enrolment token authenticated the request. */
  readonly token?: TokenReference;
  readonly session?: SessionReference;
  /** Of the authenticated account; a token has none. */
  readonly revision?: string;
}

/** The service itself, or a person with access to its data on its machine. */
export const LOCAL_ACTOR: Actor = { account: '', role: 'admin', address: '', requestId: '' };

/** A session must also have a recent password confirmation. */
export const canReadSecrets = ({ role, session }: Pick<Actor, 'role' | 'session'>): boolean =>
  role === 'admin' && (session === undefined || session.isConfirmed);

/** Other roles can enrol only the host that sends the request. */
export const canEnrolOthers = (role: Role): boolean => role === 'admin' || role === 'operator';

export const hiddenEventTypes = (role: Role): readonly EventType[] =>
  role === 'admin' ? [] : EVENT_TYPES.filter(type => ADMIN_ONLY_RESOURCES.has(eventResource(type)));
