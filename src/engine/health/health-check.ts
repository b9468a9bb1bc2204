import type { Host } from '../../domain/hosts/host.ts';
import type { HostFacts, Liveness } from '../../domain/hosts/host-facts.ts';
import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import { isBootstrapped, isReady } from '../../domain/hosts/host-status.ts';
import type { Claim } from '../../domain/tasks/host-queue.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { QUERY_TIMEOUT_MS } from '../../procedures/retry-policies.ts';
import { openHostConnection } from '../host-connection.ts';
import type { HostTransaction } from '../host-transaction.ts';
import { applyHostUpdate, releaseClaim, withClaimedHost } from '../host-transaction.ts';
import type { Lease } from '../lease.ts';
import type { RunPorts } from '../ports.ts';
import type { CheckFailure } from './check-failure.ts';
import {
  FAILURES_BEFORE_UNREACHABLE,
  resolveCheckFailure,
  toCheckFailure,
  toCheckResult,
  UNREADABLE_OUTPUT,
} from './check-failure.ts';
import type { HealthCheckBatch } from './health-check-batch.ts';
import type { FailureVerdict, PartitionDetector } from './partition-detector.ts';
import { scheduleCorroboratingChecks } from './partition-sync.ts';

async function recordCheckFailure(
  { ports, lease, partition, isAnotherServerConnected }: HealthCheckContext,
  claim: Claim,
  host: Host,
  failure: CheckFailure,
): Promise<void> {
  recordSample(partition, host, failure);
  const verdict = await withClaimedHost(ports, lease, claim, async transaction => {
    if (transaction.host?.enrolment !== host.enrolment) {
      await releaseClaim(ports, transaction, claim, { nextCheck: 'next_interval' });
      return undefined;
    }
    const { status } = transaction.host;
    const isClassified = failure.isUnresponsive && isReady(status);
    const defaultVerdict = failure.isUnresponsive && partition.isPartitioned ? 'partitioned' : 'unreachable';
    const hostVerdict = isClassified ? await classifyFailure(partition, transaction, claim) : defaultVerdict;
    const { hostUpdate, release } = resolveCheckFailure(failure, {
      status,
      failures: claim.failures,
      verdict: hostVerdict,
      isAnotherServerConnected: isAnotherServerConnected(),
      nowMs: transaction.nowMs,
      checkIntervalMs: ports.settings.checkIntervalMs,
      jitter: ports.jitter(),
    });
    const updatedHost = await applyHostUpdate(transaction, transaction.host, hostUpdate);
    await releaseClaim(ports, { ...transaction, host: updatedHost }, claim, release);
    return isClassified ? hostVerdict : undefined;
  });
  if (verdict) partition.applyVerdict(host.address, verdict);
}

/** Unresponsive hosts in maintenance do not count. */
function recordSample(partition: PartitionDetector, host: Host, { isUnresponsive }: CheckFailure): void {
  if (!isReady(host.status)) return;
  if (!isUnresponsive) partition.recordSample(host.address, true);
  else if (host.maintenance === null) partition.recordSample(host.address, false);
}

/** If too few other hosts were checked since, schedules checks of other hosts first. */
async function classifyFailure(
  partition: PartitionDetector,
  { records, nowMs }: HostTransaction,
  { host, failures }: Claim,
): Promise<FailureVerdict> {
  if (partition.isPartitioned) return 'partitioned';
  if (failures + 1 < FAILURES_BEFORE_UNREACHABLE) return 'inconclusive';
  const isLastAttempt = failures >= FAILURES_BEFORE_UNREACHABLE;
  if (!isLastAttempt && (await scheduleCorroboratingChecks(partition, records, host, nowMs))) return 'inconclusive';
  return partition.classify(host);
}

/** Three failed checks must fit into `CONFIRM_WITHIN_MS`. */
const CHECK_TCP_TIMEOUT_MS = 4000;
/** With the delay between two checks, below `CONFIRM_WITHIN_MS`, within which failures count as consecutive. */
const LIVENESS_TIMEOUT_MS = 8000;

export async function runHealthCheck(context: HealthCheckContext, claim: Claim): Promise<void> {
  const { ports, lease, partition, batch } = context;
  const host = await ports.store.reads.hosts.get(claim.host);
  if (host === undefined || !isBootstrapped(host.status)) {
    return withClaimedHost(ports, lease, claim, transaction =>
      releaseClaim(ports, transaction, claim, { nextCheck: 'next_interval' }),
    );
  }
  const startedMs = ports.clock.monotonicMs();
  const response = await queryHealth(context, claim, host);
  const result = 'problem' in response ? toCheckResult(response) : 'passed';
  ports.metrics.checkEnded(result, (ports.clock.monotonicMs() - startedMs) / 1000);
  if ('problem' in response) return recordCheckFailure(context, claim, host, response);
  if (isReady(host.status)) partition.recordSample(host.address, true);
  const isUnchanged = isReady(host.status) && claim.failures === 0 && response.bootId === host.bootId;
  return isUnchanged && !readsFacts(claim) ? batch.add(claim) : recordSuccess(context, claim, host, response);
}

/** Reading facts takes longer, so a host that failed its last check gets only the liveness query. */
const readsFacts = ({ isFactsDue, failures }: Claim): boolean => isFactsDue && failures === 0;

async function queryHealth(
  { ports, lease }: HealthCheckContext,
  claim: Claim,
  host: Host,
): Promise<HostFacts | Liveness | CheckFailure> {
  const connection = openHostConnection(ports, lease, host, {
    tcpTimeoutMs: CHECK_TCP_TIMEOUT_MS,
    getLogFields: () => ({ task: 'health_check' }),
  });
  const { facts, liveness } = ports.drivers.os;
  try {
    const response = readsFacts(claim)
      ? await connection.query<HostFacts | Liveness>(facts, { timeoutMs: QUERY_TIMEOUT_MS })
      : await connection.query<HostFacts | Liveness>(liveness, { timeoutMs: LIVENESS_TIMEOUT_MS });
    return response instanceof TransportFailure ? toCheckFailure(response) : (response ?? UNREADABLE_OUTPUT);
  } finally {
    connection.close();
  }
}

async function recordSuccess(
  { ports, lease }: HealthCheckContext,
  claim: Claim,
  host: Host,
  response: HostFacts | Liveness,
): Promise<void> {
  await withClaimedHost(ports, lease, claim, async transaction => {
    const { nowMs } = transaction;
    const isSameHost = transaction.host?.enrolment === host.enrolment;
    const hostUpdate: HostUpdate = { facts: response, trigger: 'became_reachable', checkResult: 'passed' };
    const updatedHost =
      transaction.host && isSameHost
        ? await applyHostUpdate(transaction, transaction.host, hostUpdate)
        : transaction.host;
    // After a reboot the next check reads all facts, because the OS version can have changed.
    const hasFacts = readsFacts(claim);
    const factsDueAt = hasFacts ? nowMs + ports.settings.factsIntervalMs : nowMs;
    const facts = hasFacts || response.bootId !== host.bootId ? { factsDueAt } : {};
    await releaseClaim(ports, { ...transaction, host: updatedHost }, claim, {
      nextCheck: 'next_interval',
      failures: 0,
      contact: 'responded',
      ...facts,
    });
  });
}

interface HealthCheckContext {
  readonly ports: RunPorts;
  readonly lease: Lease;
  readonly batch: HealthCheckBatch;
  readonly partition: PartitionDetector;
  readonly isAnotherServerConnected: () => boolean;
}
