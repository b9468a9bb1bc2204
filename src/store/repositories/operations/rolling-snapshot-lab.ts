// The rows of hosts in an operation, and what the rule is shown of them, computed from all of them.

import type { Address } from '../../../domain/addresses/address.ts';
import type { Host } from '../../../domain/hosts/host.ts';
import { newHost } from '../../../domain/hosts/host.ts';
import { toRecordName } from '../../../domain/record-name.ts';
import type { ClusterOperation } from '../../../domain/rollout/operation.ts';
import type { OperationHost } from '../../../domain/rollout/operation-host.ts';
import { phaseGroupOf } from '../../../domain/rollout/operation-host.ts';
import type { Outage } from '../../../domain/rollout/outage.ts';
import type { Candidate, RolloutSnapshot } from '../../../domain/rollout/snapshot.ts';
import type { ContactResult } from '../../../domain/tasks/host-queue.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import type { HostPhase, HostStatus, PhaseGroup } from '../../../domain/vocabulary.ts';

const SEEN = {
  nowMs: 100_000,
  isGloballyPaused: false,
  isPartitioned: false,
  window: { isOpen: true, changesAtMs: null },
};
export const MORE = { ...SEEN, checkIntervalMs: 60_000 };

/** Of a small cluster. */
const WINDOW_MS = 15_000;

/** One host of a case, in the plan or not. */
export interface Row {
  readonly status: HostStatus;
  readonly isMaintained: boolean;
  /** null: it is not in the plan. */
  readonly phase: HostPhase | null;
  readonly flag: boolean;
  readonly isControlPlane: boolean;
  /** Of one that has ended: it has left, or another was enrolled at its address since. */
  readonly since: 'there' | 'left' | 'another';
  readonly isIgnored: boolean;
  readonly awaitsBootstrap: boolean;
  /** How long ago its last contact was, and whether it answered. */
  readonly contact: { readonly result: ContactResult; readonly agoMs: number };
  readonly asksToReboot: boolean;
  readonly isCleared: boolean;
}

/** The hosts and their parts in the plan, as they are stored. */
export function stored(all: readonly Row[], number: number) {
  const cluster = toRecordName(`c${number}`);
  const [hosts, plan]: [Host[], OperationHost[]] = [[], []];
  const [ignored, bootstraps]: [Address[], Address[]] = [[], []];
  const contacts = new Map<Address, Row['contact']>();
  for (const [position, { status, isMaintained, phase, flag, isControlPlane, ...row }] of all.entries()) {
    const host = `127.${number}.0.${position + 1}` as Address;
    const isEnded = phase !== null && phaseGroupOf(phase) === 'ended';
    const isThere = !isEnded || row.since === 'there';
    if (row.since !== 'left' || !isEnded)
      hosts.push({
        ...newHost(host, { enrolment: isThere ? 'e' : 'another', cluster }),
        ...{ status, maintenance: isMaintained ? 'disk' : null },
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
        holdsSlot: phase === 'failed' && flag && isThere,
      },
      ...{
        isCordoned: false,
        attempt: 1,
        skipReason: null,
        asksToReboot: row.asksToReboot,
        clearedUntilMs: row.isCleared ? SEEN.nowMs + 1 : null,
        wasNoop: phase === 'done' && flag,
      },
      ...{ problem: '', stageResult: {}, phases: [], startedAt: null, finishedAt: null },
    });
  }
  return { cluster, hosts, plan, ignored, bootstraps, contacts };
}

export type Stored = ReturnType<typeof stored>;

/** What the rule is shown, from all rows. */
export function naiveSnapshot(
  operation: ClusterOperation,
  { hosts, plan, ignored, bootstraps, contacts }: Stored,
): RolloutSnapshot {
  const members = new Map(hosts.map(host => [host.address, host]));
  const contactOf = (host: Address) => contacts.get(host);
  const isUnresponsive = (host: Host) => contactOf(host.address)?.result === 'failed';
  const isOut = (host: Host | undefined) =>
    host !== undefined && (host.status !== 'active' || host.maintenance !== null || isUnresponsive(host));
  const isOff = ({ host }: OperationHost) => {
    const member = members.get(host);
    const isBroughtIn = member?.status === 'investigating' || member?.status === 'bootstrapping';
    const isAwaited = member !== undefined && member.status !== 'active' && bootstraps.includes(host);
    return isBroughtIn || isAwaited || (member?.maintenance ?? null) !== null;
  };
  const isDetached = (host: Host | undefined) =>
    host?.status === 'disassociated' && host.maintenance === null && !isUnresponsive(host);
  const isReady = ({ status, maintenance }: Host) =>
    maintenance === null && (status === 'active' || status === 'disassociated');
  const isDown = ({ host }: { host: Address }) => {
    const member = members.get(host);
    return member !== undefined && !isReady(member);
  };
  const isQuiet = ({ host }: { host: Address }) => {
    const member = members.get(host);
    return member !== undefined && isReady(member) && isUnresponsive(member);
  };
  const inTurn = (some: readonly OperationHost[]): Candidate[] =>
    [false, true]
      .flatMap(isControl => some.filter(({ isControlPlane }) => isControlPlane === isControl))
      .map(({ host, isControlPlane, position }) => ({
        host,
        isControlPlane,
        position,
        isDown: isDown({ host }),
        isUnresponsive: isQuiet({ host }),
      }))
      .toSorted((one, other) =>
        one.isControlPlane === other.isControlPlane ? Number(other.isDown) - Number(one.isDown) : 0,
      );
  const inPart = (part: PhaseGroup) => plan.filter(({ phase }) => phaseGroupOf(phase) === part);
  const staged = plan.filter(({ isStaged }) => isStaged);
  const waiting = [...staged, ...inPart('waiting')];
  const unready = inPart('preparing').filter(({ isStaged }) => !isStaged);
  const isFresh = (host: Address) => {
    const contact = contactOf(host);
    return contact?.result === 'answered' && contact.agoMs <= WINDOW_MS;
  };
  const isRebooted = ({ phase }: OperationHost) => ['rebooting', 'verifying', 'uncordoning'].includes(phase);
  const flying = new Set(inPart('in_flight').map(({ host }) => host));
  const answering = hosts.filter(host => !isOut(host) && !flying.has(host.address));
  const oldestMs = Math.max(...answering.map(({ address }) => contactOf(address)?.agoMs ?? 0));
  // An assessment begins this moment.
  const agoAtMostMs = operation.assessment === 'done' ? WINDOW_MS : 0;
  const isAnybodyNext =
    staged.length > 0 || inPart('in_flight').some(one => one.asksToReboot) || operation.assessment !== 'done';
  const answers = isAnybodyNext
    ? {
        unchecked: answering
          .map(({ address }) => address)
          .filter(host => (contactOf(host)?.agoMs ?? 0) > agoAtMostMs)
          .slice(0, 20),
        freshUntilMs:
          answering.length === 0
            ? Number.POSITIVE_INFINITY
            : SEEN.nowMs - Math.min(oldestMs, agoAtMostMs) + WINDOW_MS + 3000,
      }
    : { unchecked: [], freshUntilMs: SEEN.nowMs };
  const outageOf = (host: Host): Outage => {
    const ofStatus = isUnresponsive(host) && isReady(host) ? 'unreachable' : host.status;
    const reason = host.maintenance === null ? ofStatus : 'maintenance';
    const silentSince = reason === 'unreachable' && isUnresponsive(host);
    return {
      host: host.address,
      reason: reason === 'active' ? 'unreachable' : reason,
      detail: host.maintenance ?? '',
      since: silentSince ? formatTimestamp(SEEN.nowMs - (contactOf(host.address)?.agoMs ?? 0)) : null,
      // One failed contact confirms nothing.
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
    ...SEEN,
    operation,
    members: hosts.length,
    outages: hosts.filter(host => isOut(host) && !ignored.includes(host.address)).map(outageOf),
    ...answers,
    freshnessMs: WINDOW_MS,
    respondedSinceMs: SEEN.nowMs - agoAtMostMs,
    pendingReboots: inPart('in_flight')
      .filter(one => one.clearedUntilMs === null && (!isRebooted(one) || one.asksToReboot))
      .map(({ host, position, asksToReboot }) => ({
        host,
        position,
        asksToReboot: asksToReboot,
        hasResponded: isFresh(host),
      })),
    unregistered: hosts
      .filter(isDetached)
      .map(({ address }) => address)
      .filter(host => !ignored.includes(host)),
    inFlight: inPart('in_flight').map(({ host }) => host),
    holdingSlot: plan.filter(({ holdsSlot }) => holdsSlot).map(({ host }) => host),
    recovered: ignored.filter(
      host => !isOut(members.get(host)) && !inPart('in_flight').some(planned => planned.host === host),
    ),
    brokenControlPlane: [
      ...plan.filter(({ holdsSlot, isControlPlane }) => holdsSlot && isControlPlane),
      ...plan.filter(({ host, enrolment, isControlPlane }) => {
        const member = members.get(host);
        const isMeant = member?.enrolment === enrolment && !ignored.includes(host);
        return isControlPlane && isMeant && isOut(member);
      }),
    ].map(({ host }) => host),
    preparingCount: unready.length,
    unresponsiveCount: unready.filter(({ isUnreachable }) => isUnreachable).length,
    firstPreparingPosition: unready.find(({ problem }) => problem === '')?.position ?? null,
    staged: inTurn(staged.filter(host => !isOff(host))),
    pending: inTurn(inPart('waiting').filter(host => !isOff(host))),
    ineligible: waiting.filter(isOff).map(({ host }) => host),
    verified: plan.filter(({ phase, wasNoop }) => phase === 'done' && !wasNoop).length,
    failed: plan.filter(({ phase }) => phase === 'failed').map(({ host }) => host),
    areWorkersLeft: plan.some(
      ({ phase, isControlPlane }) => phaseGroupOf(phase) !== 'ended' && !isControlPlane,
    ),
  };
}
