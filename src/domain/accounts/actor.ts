import type { TraceContext } from '../../lib/tracer.ts';
import type { RecordName } from '../record-name.ts';
import type { Role } from '../vocabulary.ts';

/** An enrolment token, and not another one that may have its name later. */
export interface TokenReference {
  readonly id: string;
  readonly name: RecordName;
}

/** A session by which somebody calls. */
export interface SessionReference {
  readonly id: string;
  /** When it ends, on the monotonic clock of this server. */
  readonly untilMs: number;
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
