import type { RecordName } from '../record-name.ts';
import type { Role } from '../vocabulary.ts';

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
