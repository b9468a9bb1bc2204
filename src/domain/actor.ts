import type { Role } from './vocabulary.ts';

/** Who asks for a change, and from where: what the outbox keeps beside what happened. */
export interface Actor {
  readonly account: string;
  readonly role: Role;
  /** The caller's address, or `''` for what the service does on its own machine. */
  readonly address: string;
  readonly requestId: string;
}

/** The service itself, or a person at its machine with access to its data. */
export const LOCAL_ACTOR: Actor = { account: '', role: 'admin', address: '', requestId: '' };
