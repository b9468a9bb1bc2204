// Generated hosts of an operation, and the snapshot computed from all of their rows.

import type { Address } from '../../../src/domain/addresses/address.ts';
import type { Host } from '../../../src/domain/hosts/host.ts';
import { newHost } from '../../../src/domain/hosts/host.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { ClusterOperation } from '../../../src/domain/rollout/operation.ts';
import type { OperationHost } from '../../../src/domain/rollout/operation-host.ts';
import { phaseGroupOf } from '../../../src/domain/rollout/operation-host.ts';
import type { Outage } from '../../../src/domain/rollout/outage.ts';
import type { Candidate, RolloutSnapshot } from '../../../src/domain/rollout/snapshot.ts';
import type { ContactResult } from '../../../src/domain/tasks/host-queue.ts';
import { formatTimestamp } from '../../../src/domain/timestamp.ts';
import type { HostPhase, HostStatus, PhaseGroup } from '../../../src/domain/vocabulary.ts';

const CONTEXT = {
  nowMs: 100_000,
  isGloballyPaused: false,
  isPartitioned: false,
  window: { isOpen: true, changesAtMs: null },
};
export const SNAPSHOT_CONTEXT = { ...CONTEXT, checkIntervalMs: 60_000 };

/** The freshness window of a small cluster. */
const FRESHNESS_MS = 15_000;

/** One generated host, in the plan or not. */
export interface HostCase {
  readonly status: HostStatus;
  readonly isInMaintenance: boolean;
  /** Null: not in the plan. */
  readonly phase: HostPhase | null;
  readonly flag: boolean;
  readonly isControlPlane: boolean;
  /** For a host that has ended: whether it is still a member, has left, or was replaced by another host. */
  readonly membership: 'member' | 'left' | 'replaced';
  readonly isIgnored: boolean;
  readonly awaitsBootstrap: boolean;
  /** The result of the last contact, and how long ago it was. */
  readonly contact: { readonly result: ContactResult; readonly agoMs: number };
  readonly awaitsRebootClearance: boolean;
  readonly isCleared: boolean;
}

export function toStoredCase(all: readonly HostCase[], number: number) {
  const cluster = toRecordName(`c${number}`);
  const [hosts, plan]: [Host[], OperationHost[]] = [[], []];
  const [ignored, bootstraps]: [Address[], Address[]] = [[], []];
  const contacts = new Map<Address, HostCase['contact']>();
  for (const [position, { status, isInMaintenance, phase, flag, isControlPlane, ...row }] of all.entries()) {
    const host = `127.${number & 255}.${number >> 8}.${position + 1}` as Address;
    const isEnded = phase !== null && phaseGroupOf(phase) === 'ended';
    const isPresent = !isEnded || row.membership === 'member';
    if (row.membership !== 'left' || !isEnded)
      hosts.push({
        ...newHost(host, { enrolment: isPresent ? 'e' : 'another', cluster }),
        ...{ status, maintenance: isInMaintenance ? 'disk' : null },
      });
    if (row.awaitsBootstrap) bootstraps.push(host);
    contacts.set(host, row.contact);
    if (row.isIgnored && (phase === null || phase === 'skipped')) ignored.push(host);
    if (phase === null) continue;
    plan.push({
      ...{ host, enrolment: 'e', position, isControlPlane, phase, isStaged: phase === 'staging' && flag },
      ...{
        isUnreachable: phase === 'preflight' && flag,
        abortReason: null,
        holdsSlot: phase === 'failed' && flag && isPresent,
      },
      ...{
        isCordoned: false,
        attempt: 1,
        skipReason: null,
        awaitsRebootClearance: row.awaitsRebootClearance,
        clearedUntilMs: row.isCleared ? CONTEXT.nowMs + 1 : null,
        wasNoop: phase === 'done' && flag,
      },
      ...{ problem: '', stageResult: {}, phases: [], startedAt: null, finishedAt: null },
    });
  }
  return { cluster, hosts, plan, ignored, bootstraps, contacts };
}

export type StoredCase = ReturnType<typeof toStoredCase>;

/** Computes the expected snapshot without the queries. */
export function expectedSnapshot(
  operation: ClusterOperation,
  { hosts, plan, ignored, bootstraps, contacts }: StoredCase,
): RolloutSnapshot {
  const members = new Map(hosts.map(host => [host.address, host]));
  const contactOf = (host: Address) => contacts.get(host);
  const isUnresponsive = (host: Host) => contactOf(host.address)?.result === 'failed';
  const isUnavailable = (host: Host | undefined) =>
    host !== undefined && (host.status !== 'active' || host.maintenance !== null || isUnresponsive(host));
  const isIneligible = ({ host }: OperationHost) => {
    const member = members.get(host);
    const isBootstrapping = member?.status === 'investigating' || member?.status === 'bootstrapping';
    const isBootstrapQueued = member !== undefined && member.status !== 'active' && bootstraps.includes(host);
    return isBootstrapping || isBootstrapQueued || (member?.maintenance ?? null) !== null;
  };
  const isUnregistered = (host: Host | undefined) =>
    host?.status === 'disassociated' && host.maintenance === null && !isUnresponsive(host);
  const isReady = ({ status, maintenance }: Host) =>
    maintenance === null && (status === 'active' || status === 'disassociated');
  const isDown = ({ host }: { host: Address }) => {
    const member = members.get(host);
    return member !== undefined && !isReady(member);
  };
  const isReadyButUnresponsive = ({ host }: { host: Address }) => {
    const member = members.get(host);
    return member !== undefined && isReady(member) && isUnresponsive(member);
  };
  const inRolloutOrder = (operationHosts: readonly OperationHost[]): Candidate[] =>
    [false, true]
      .flatMap(isControl => operationHosts.filter(({ isControlPlane }) => isControlPlane === isControl))
      .map(({ host, isControlPlane, position }) => ({
        host,
        isControlPlane,
        position,
        isDown: isDown({ host }),
        isUnresponsive: isReadyButUnresponsive({ host }),
      }))
      .toSorted((one, other) =>
        one.isControlPlane === other.isControlPlane ? Number(other.isDown) - Number(one.isDown) : 0,
      );
  const inGroup = (group: PhaseGroup) => plan.filter(({ phase }) => phaseGroupOf(phase) === group);
  const staged = plan.filter(({ isStaged }) => isStaged);
  const waiting = [...staged, ...inGroup('waiting')];
  const unready = inGroup('preparing').filter(({ isStaged }) => !isStaged);
  const isFresh = (host: Address) => {
    const contact = contactOf(host);
    return contact?.result === 'responded' && contact.agoMs <= FRESHNESS_MS;
  };
  const isRebooted = ({ phase }: OperationHost) => ['rebooting', 'verifying', 'uncordoning'].includes(phase);
  const inFlightHosts = new Set(inGroup('in_flight').map(({ host }) => host));
  const responding = hosts.filter(host => !isUnavailable(host) && !inFlightHosts.has(host.address));
  const oldestMs = Math.max(...responding.map(({ address }) => contactOf(address)?.agoMs ?? 0));
  // An assessment starts now.
  const maxAgeMs = operation.assessment === 'done' ? FRESHNESS_MS : 0;
  const needsContacts =
    staged.length > 0 ||
    inGroup('in_flight').some(({ awaitsRebootClearance }) => awaitsRebootClearance) ||
    operation.assessment !== 'done';
  const contactFreshness = needsContacts
    ? {
        unchecked: responding
          .map(({ address }) => address)
          .filter(host => (contactOf(host)?.agoMs ?? 0) > maxAgeMs)
          .slice(0, 20),
        freshUntilMs:
          responding.length === 0
            ? Number.POSITIVE_INFINITY
            : CONTEXT.nowMs - Math.min(oldestMs, maxAgeMs) + FRESHNESS_MS + 3000,
      }
    : { unchecked: [], freshUntilMs: CONTEXT.nowMs };
  const toOutage = (host: Host): Outage => {
    const statusReason = isUnresponsive(host) && isReady(host) ? 'unreachable' : host.status;
    const reason = host.maintenance === null ? statusReason : 'maintenance';
    const unresponsiveSince = reason === 'unreachable' && isUnresponsive(host);
    return {
      host: host.address,
      reason: reason === 'active' ? 'unreachable' : reason,
      detail: host.maintenance ?? '',
      since: unresponsiveSince ? formatTimestamp(CONTEXT.nowMs - (contactOf(host.address)?.agoMs ?? 0)) : null,
      // One failed contact does not confirm an outage.
      isConfirmed: reason !== 'unreachable',
      isPlanned: plan.some(
        one =>
          one.host === host.address &&
          one.enrolment === host.enrolment &&
          !['done', 'failed', 'skipped'].includes(one.phase),
      ),
    };
  };
  return {
    ...CONTEXT,
    operation,
    memberCount: hosts.length,
    outages: hosts.filter(host => isUnavailable(host) && !ignored.includes(host.address)).map(toOutage),
    ...contactFreshness,
    freshnessMs: FRESHNESS_MS,
    respondedSinceMs: CONTEXT.nowMs - maxAgeMs,
    pendingReboots: inGroup('in_flight')
      .filter(host => host.clearedUntilMs === null && (!isRebooted(host) || host.awaitsRebootClearance))
      .map(({ host, position, awaitsRebootClearance }) => ({
        host,
        position,
        awaitsRebootClearance,
        hasResponded: isFresh(host),
      })),
    unregistered: hosts
      .filter(isUnregistered)
      .map(({ address }) => address)
      .filter(host => !ignored.includes(host)),
    inFlight: inGroup('in_flight').map(({ host }) => host),
    holdingSlot: plan.filter(({ holdsSlot }) => holdsSlot).map(({ host }) => host),
    recovered: ignored.filter(
      host => !isUnavailable(members.get(host)) && !inGroup('in_flight').some(planned => planned.host === host),
    ),
    brokenControlPlane: [
      ...plan.filter(({ holdsSlot, isControlPlane }) => holdsSlot && isControlPlane),
      ...plan.filter(({ host, enrolment, isControlPlane }) => {
        const member = members.get(host);
        const isCounted = member?.enrolment === enrolment && !ignored.includes(host);
        return isControlPlane && isCounted && isUnavailable(member);
      }),
    ].map(({ host }) => host),
    preparingCount: unready.length,
    unresponsiveCount: unready.filter(({ isUnreachable }) => isUnreachable).length,
    firstPreparingPosition: unready.find(({ problem }) => problem === '')?.position ?? null,
    staged: inRolloutOrder(staged.filter(host => !isIneligible(host))),
    pending: inRolloutOrder(inGroup('waiting').filter(host => !isIneligible(host))),
    ineligible: waiting.filter(isIneligible).map(({ host }) => host),
    verifiedCount: plan.filter(({ phase, wasNoop }) => phase === 'done' && !wasNoop).length,
    failed: plan.filter(({ phase }) => phase === 'failed').map(({ host }) => host),
    areWorkersLeft: plan.some(({ phase, isControlPlane }) => phaseGroupOf(phase) !== 'ended' && !isControlPlane),
  };
}
