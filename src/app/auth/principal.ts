import type { SessionReference, TokenReference } from '../../domain/accounts/account.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Role } from '../../domain/vocabulary.ts';

/** What a caller shows to be let in. */
export interface Credentials {
  readonly name: string;
  readonly password: Secret;
  /** The header that both were sent in. A login without one is not cached. */
  readonly authorizationHeader?: Secret;
}

/** Who it is that was let in. */
export interface Principal {
  readonly account: RecordName;
  readonly role: Role;
  /** The enrolment token that let it in; `account` is what all of them share. */
  readonly token?: TokenReference;
  /** The session that let it in. */
  readonly session?: SessionReference;
  /** The revision of the account for which that holds. */
  readonly revision?: string;
}
