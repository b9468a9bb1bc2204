import type { SessionReference, TokenReference } from '../../domain/accounts/account.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Role } from '../../domain/vocabulary.ts';

export interface Credentials {
  readonly name: string;
  readonly password: Secret;
  /** Logins without a header are not cached. */
  readonly authorizationHeader?: Secret;
}

export interface Principal {
  readonly account: RecordName;
  readonly role: Role;
  /** All tokens share the same `account`. */
  readonly token?: TokenReference;
  readonly session?: SessionReference;
  readonly revision?: string;
}
