// Why a host could not be spoken to: a closed set, and what each means for whoever tried.

import type { ReasonText } from './hosts/reason-text.ts';
import type { HostReason } from './vocabulary.ts';

/** `isWorthRetrying`: it may pass by itself; else a person has to look at it first. `isSilence`: nothing came back from the host. */
const POLICIES = {
  /** No connection, or it broke: what was under way may have happened or not. */
  unreachable: { isWorthRetrying: true, isSilence: true },
  /** It took longer, or said more, than it may: the same. */
  timed_out: { isWorthRetrying: true, isSilence: true },
  /** The host answers, and does not let us in. */
  auth_rejected: { isWorthRetrying: false, isSilence: false },
  /** The host lets us in, and the login shell ended before it ran anything. One of a host that is out of processes or memory for a while does so too. */
  no_shell: { isWorthRetrying: true, isSilence: false },
  /** The host shows another key than it did. Nothing is run on it until a person accepts that key. */
  host_key_changed: { isWorthRetrying: false, isSilence: false },
} as const satisfies Partial<Record<HostReason, object>>;

export type FailureKind = keyof typeof POLICIES;
export const FAILURE_KINDS = Object.keys(POLICIES) as FailureKind[];

/** A value that a transport answers instead of what was asked for. Never an exception: hosts fail every day. */
export class TransportFailure {
  readonly kind: FailureKind;
  /** For people; never a secret. */
  readonly detail: string;
  /** The key that the host shows, of `host_key_changed`; as in `/etc/ssh/ssh_host_*_key.pub`. */
  readonly offeredKey: string | undefined;

  constructor(kind: FailureKind, detail: string, offeredKey?: string) {
    this.kind = kind;
    this.detail = detail;
    this.offeredKey = offeredKey;
  }

  get isWorthRetrying(): boolean {
    return POLICIES[this.kind].isWorthRetrying;
  }

  get isSilence(): boolean {
    return POLICIES[this.kind].isSilence;
  }

  toString(): ReasonText {
    return `${this.kind}: ${this.detail}`;
  }
}
