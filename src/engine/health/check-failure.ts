import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import { isReady } from '../../domain/hosts/host-status.ts';
import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import type { ClaimRelease } from '../../domain/tasks/host-queue.ts';
import { backoffMs, MAX_BACKOFF_MS } from '../../domain/tasks/retry-policy.ts';
import type { TransportFailure } from '../../domain/transport-failure.ts';
import type { HealthCheckResult, HostStatus } from '../../domain/vocabulary.ts';
import { hostKeyChangedUpdate } from '../../procedures/outcomes.ts';
import type { FailureVerdict } from './partition-detector.ts';

/** Why a check did not find a host well. */
export interface CheckFailure {
  /** As in a host's reason. */
  readonly problem: ReasonText;
  /** Whether nothing came back at all: then it may be the server that has lost its network. */
  readonly isUnresponsive: boolean;
  /** What follows at once; else it is asked again first. */
  readonly hostUpdate?: HostUpdate;
}

/** How a check ended that found a reason to complain. */
export const toCheckResult = ({ isUnresponsive }: CheckFailure): HealthCheckResult =>
  isUnresponsive ? 'unreachable' : 'failed';

export const toCheckFailure = (failure: TransportFailure): CheckFailure => ({
  problem: failure.toString(),
  isUnresponsive: failure.isUnresponsive,
  ...(failure.kind === 'host_key_changed' && { hostUpdate: hostKeyChangedUpdate(failure) }),
});

export const UNREADABLE_OUTPUT: CheckFailure = {
  problem: 'unexpected_output: login succeeded, but the output of the health check cannot be parsed',
  isUnresponsive: false,
};

/** One lost packet is no lost host: it is asked once more, soon; and a last time when witnesses had to be called first. */
export const FAILURES_BEFORE_UNREACHABLE = 2;
const RECHECK_DELAY_MS = 5000;

/** A host that was lost is checked often at first: most come back soon. */
const INITIAL_RECHECK_MS = 5000;

interface CheckFailureInput {
  readonly status: HostStatus;
  /** How often it failed before this time, one after the other. */
  readonly failures: number;
  readonly verdict: FailureVerdict;
  /** Another live server reaches its hosts. */
  readonly isAnotherConnected: boolean;
  /** The store's clock. */
  readonly nowMs: number;
  readonly checkIntervalMs: number;
  readonly jitter: number;
}

export interface CheckFailureResult {
  readonly hostUpdate: HostUpdate;
  readonly release: ClaimRelease;
}

/** What follows when a check did not find a host well: pure, so that it can be tested as a table. */
export function resolveCheckFailure(failure: CheckFailure, input: CheckFailureInput): CheckFailureResult {
  const { problem: reason, hostUpdate } = failure;
  const { status, verdict, isAnotherConnected, nowMs, checkIntervalMs, jitter } = input;
  const failures = input.failures + 1;
  // The silence of a host says nothing when the server is partitioned.
  const isIgnored = failure.isUnresponsive && verdict === 'partitioned';
  const check = isIgnored ? null : toCheckResult(failure);
  const contact = isIgnored ? {} : ({ contact: 'failed' } as const);
  if (hostUpdate) {
    return {
      hostUpdate: { ...hostUpdate, reason, check },
      release: { check: 'none', failures: 0, ...contact },
    };
  }
  if (isReady(status) && (failures < FAILURES_BEFORE_UNREACHABLE || verdict !== 'lost')) {
    if (verdict === 'partitioned') {
      // A partitioned server does not judge the host. It checks it again at its next slot, as if it had failed once.
      const next = isAnotherConnected ? 'unchanged' : 'next_slot';
      return { hostUpdate: { check }, release: { check: next, failures: 1, ...contact } };
    }
    return {
      hostUpdate: { check },
      release: { check: { at: nowMs + RECHECK_DELAY_MS }, failures, ...contact },
    };
  }
  // Hosts that stay away are checked less and less often.
  const maxBackoffMs = Math.max(MAX_BACKOFF_MS, checkIntervalMs);
  const policy = { initialBackoffMs: INITIAL_RECHECK_MS, maxBackoffMs: maxBackoffMs, timeoutMs: null };
  const at = nowMs + Math.round(backoffMs(policy, failures - FAILURES_BEFORE_UNREACHABLE + 1, jitter));
  return {
    hostUpdate: { trigger: 'became_unreachable', reason, check },
    release: { check: isIgnored && isAnotherConnected ? 'unchanged' : { at }, failures, ...contact },
  };
}
