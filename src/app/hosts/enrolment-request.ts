import type { Address } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';

/** What was sent; what was not given is `undefined`. */
export interface EnrolmentRequest {
  readonly address: Address;
  /** Only who is let in by a token may leave it out: then the service's own identity is used. */
  readonly sshPrivKey: Secret | undefined;
  readonly remoteUser: string | undefined;
  readonly sshPort: number | undefined;
  readonly hostKeys: readonly string[] | undefined;
  readonly transport: string | undefined;
  readonly cluster: RecordName | undefined;
  readonly source: string | undefined;
}

/** A request with which all is well, as far as can be told before anything is locked. */
export interface CheckedEnrolment {
  readonly request: EnrolmentRequest;
  /** What is wrong with the key of a host that turns out to be new. */
  readonly lateProblem: () => AppError | undefined;
}
