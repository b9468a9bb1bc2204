import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import { isReady } from '../../domain/hosts/host-status.ts';
import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import type { ClaimRelease } from '../../domain/tasks/host-queue.ts';
import { backoffMs, MAX_BACKOFF_MS } from '../../domain/tasks/retry-policy.ts';
import type { TransportFailure } from '../../domain/transport-failure.ts';
import type { HealthCheckResult, HostStatus } from '../../domain/vocabulary.ts';
import { hostKeyChangedUpdate } from '../../procedures/outcomes.ts';
import type { FailureVerdict } from './partition-detector.ts';

export interface CheckFailure {
  readonly problem: ReasonText;
  /** No response came back, so the server itself can have lost its network. */
  readonly isUnresponsive: boolean;
  /** Applied after the first failure. Without it, the host is checked again first. */
  readonly hostUpdate?: HostUpdate;
}

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

/** The second check runs after 5 s, a third one if corroborating checks had to run first. */
export const FAILURES_BEFORE_UNREACHABLE = 2;
const RECHECK_DELAY_MS = 5000;

/** Unreachable hosts are checked often at first, because most recover soon. */
const INITIAL_RECHECK_MS = 5000;

interface CheckFailureInput {
  readonly status: HostStatus;
  /** Consecutive failures before this check. */
  readonly failures: number;
  readonly verdict: FailureVerdict;
  readonly isAnotherServerConnected: boolean;
  /** Time of the store. */
  readonly nowMs: number;
  readonly checkIntervalMs: number;
  readonly jitter: number;
}

interface CheckFailureResult {
  readonly hostUpdate: HostUpdate;
  readonly release: ClaimRelease;
}

export function resolveCheckFailure(failure: CheckFailure, input: CheckFailureInput): CheckFailureResult {
  const { problem: reason, hostUpdate } = failure;
  const { status, verdict, isAnotherServerConnected, nowMs, checkIntervalMs, jitter } = input;
  const failures = input.failures + 1;
  // A missing response is no evidence while this server is partitioned.
  const isIgnored = failure.isUnresponsive && verdict === 'partitioned';
  const checkResult = isIgnored ? null : toCheckResult(failure);
  const contact = isIgnored ? {} : ({ contact: 'failed' } as const);
  if (hostUpdate) {
    return {
      hostUpdate: { ...hostUpdate, reason, checkResult },
      release: { nextCheck: 'none', failures: 0, ...contact },
    };
  }
  if (isReady(status) && (failures < FAILURES_BEFORE_UNREACHABLE || verdict !== 'unreachable')) {
    if (verdict === 'partitioned') {
      // The next check counts this one as a single failure.
      const next = isAnotherServerConnected ? 'unchanged' : 'next_interval';
      return { hostUpdate: { checkResult }, release: { nextCheck: next, failures: 1, ...contact } };
    }
    return {
      hostUpdate: { checkResult },
      release: { nextCheck: { at: nowMs + RECHECK_DELAY_MS }, failures, ...contact },
    };
  }
  const maxBackoffMs = Math.max(MAX_BACKOFF_MS, checkIntervalMs);
  const policy = { initialBackoffMs: INITIAL_RECHECK_MS, maxBackoffMs, timeoutMs: null };
  const at = nowMs + Math.round(backoffMs(policy, failures - FAILURES_BEFORE_UNREACHABLE + 1, jitter));
  return {
    hostUpdate: { trigger: 'became_unreachable', reason, checkResult },
    release: { nextCheck: isIgnored && isAnotherServerConnected ? 'unchanged' : { at }, failures, ...contact },
  };
}
