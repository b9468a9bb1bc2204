import type { ReasonText } from './hosts/reason-text.ts';
import type { HostReason } from './vocabulary.ts';

/** `isRetryable`: the failure can pass without human action. `isUnresponsive`: the host sent no response. */
const FAILURE_TRAITS = {
  /** A running command may or may not have completed. */
  unreachable: { isRetryable: true, isUnresponsive: true },
  /** A time or output limit was exceeded. A running command may or may not have completed. */
  timed_out: { isRetryable: true, isUnresponsive: true },
  auth_rejected: { isRetryable: false, isUnresponsive: false },
  /** The login shell exits before it runs the command, also while a host has no free processes or memory. */
  no_shell: { isRetryable: true, isUnresponsive: false },
  /** The server runs nothing on the host until an administrator accepts the new key. */
  host_key_changed: { isRetryable: false, isUnresponsive: false },
} as const satisfies Partial<Record<HostReason, object>>;

export type TransportFailureKind = keyof typeof FAILURE_TRAITS;
export const TRANSPORT_FAILURE_KINDS = Object.keys(FAILURE_TRAITS) as TransportFailureKind[];

/** Returned as a value, not thrown: failing hosts are normal. */
export class TransportFailure {
  readonly kind: TransportFailureKind;
  /** Shown to users; contains no secret. */
  readonly detail: string;
  /** For `host_key_changed`, in the format of `/etc/ssh/ssh_host_*_key.pub`. */
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
