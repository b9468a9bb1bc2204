import type { Learned } from '../../domain/hosts/learned.ts';
import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import type { TransportFailure } from '../../domain/transport-failure.ts';
import type { CheckResult } from '../../domain/vocabulary.ts';
import { distrust } from '../../operations/outcomes.ts';

/** Why a check did not find a host well. */
export interface Complaint {
  /** As in a host's reason. */
  readonly problem: ReasonText;
  /** Whether nothing came back at all: then it may be the server that has lost its network. */
  readonly isSilence: boolean;
  /** What follows at once; else it is asked again first. */
  readonly learned?: Learned;
}

/** How a check ended that found a reason to complain. */
export const resultOf = ({ isSilence }: Complaint): CheckResult => (isSilence ? 'unreachable' : 'failed');

export const complaintOf = (failure: TransportFailure): Complaint => ({
  problem: failure.toString(),
  isSilence: failure.isSilence,
  ...(failure.kind === 'host_key_changed' && { learned: distrust(failure) }),
});

export const UNREADABLE: Complaint = {
  problem: 'unexpected_output: login succeeded, but the output of the health check cannot be parsed',
  isSilence: false,
};
