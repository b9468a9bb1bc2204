import type { Sealed } from './secret.ts';

/** The service's own SSH key, which hosts that enrol by a token trust instead of sending one of theirs. */
export interface Identity {
  /** As in `authorized_keys`. */
  readonly publicKey: string;
  /** In OpenSSH's form. It is never served. */
  readonly privateKey: Sealed;
}

/** Of a service that runs: it makes one before it answers anybody. */
export function requireIdentity(identity: Identity | undefined): Identity {
  if (identity === undefined)
    throw new Error('the service has no SSH identity, although the server creates one at its start');
  return identity;
}
