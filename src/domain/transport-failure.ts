// Why a host could not be spoken to: a closed set, and what each means for whoever tried.

import type { ReasonText } from './hosts/reason-text.ts';
import type { HostReason } from './vocabulary.ts';

/** `isWorthRetrying`: it may pass by itself; else a person has to look at it first. `isSilence`: nothing came back from the host. */
const FAILURE_TRAITS = {
  /** No connection, or it broke: what was under way may have happened or not. */
  unreachable: { isRetryable: true, isUnresponsive: true },
  /** It took longer, or said more, than it may: the same. */
  timed_out: { isRetryable: true, isUnresponsive: true },
  /** The host answers, and does not let us in. */
  auth_rejected: { isRetryable: false, isUnresponsive: false },
  /** The host lets us in, and the login shell ended before it ran anything. One of a host that is out of processes or memory for a while does so too. */
  no_shell: { isRetryable: true, isUnresponsive: false },
  /** The host shows another key than it did. Nothing is run on it until a person accepts that key. */
  host_key_changed: { isRetryable: false, isUnresponsive: false },
} as const satisfies Partial<Record<HostReason, object>>;

export type TransportFailureKind = keyof typeof FAILURE_TRAITS;
export const TRANSPORT_FAILURE_KINDS = Object.keys(FAILURE_TRAITS) as TransportFailureKind[];

/** A value that a transport answers instead of what was asked for. Never an exception: hosts fail every day. */
export class TransportFailure {
  readonly kind: TransportFailureKind;
  /** For people; never a secret. */
  readonly detail: string;
  /** The key that the host shows, of `host_key_changed`; as in `/etc/ssh/ssh_host_*_key.pub`. */
  readonly presentedKey: string | undefined;

  constructor(kind: TransportFailureKind, detail: string, presentedKey?: string) {
    this.kind = kind;
    this.detail = detail;
    this.presentedKey = presentedKey;
  }

  get isRetryable(): boolean {
    return FAILURE_TRAITS[this.kind].isRetryable;
  }

  get isUnresponsive(): boolean {
    return FAILURE_TRAITS[this.kind].isUnresponsive;
  }

  toString(): ReasonText {
    return `${this.kind}: ${this.detail}`;
  }
}
