// One decision about an operation. What the rule says is written completely or not at all, under the lock of the operation, so that the next
// decision sees it.

import { LOCAL_ACTOR } from '../../domain/accounts/actor.ts';
import type { Happening } from '../../domain/events/happening.ts';
import { toOutboxEntry } from '../../domain/events/outbox.ts';
import { decide } from '../../domain/rolling/decide.ts';
import type { Standing } from '../../domain/rolling/operation.ts';
import { isOpen } from '../../domain/rolling/operation.ts';
import type { Snapshot } from '../../domain/rolling/snapshot.ts';
import { standingTold } from '../../domain/rolling/told.ts';
import { isOpen as isWindowOpen, nextChange } from '../../domain/rolling/window.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Lease } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';
import { controlPlaneOf } from './control-plane.ts';
import type { OpenDecision } from './decision-change.ts';
import { startHosts } from './start-hosts.ts';
import { clearHosts, excludeHosts, markBlocked } from './update-planned-hosts.ts';

/** Without any event, a decision about an open operation is repeated after this time: an event of another server may have been missed. */
export const LOOK_ANYWAY_MS = 30_000;
/** A container manager that does not answer is asked again after this time. */
const ASK_AGAIN_MS = 5000;

interface Decided {
  readonly standing: Standing;
  /** Members whose last contact is longer ago are checked; null: none are. */
  readonly checkAfterMs: number | null;
}

export async function decisionTurn(ports: EnginePorts, lease: Lease, id: string): Promise<void> {
  const seen = await ports.store.reads.operations.get(id);
  if (seen === undefined || !isOpen(seen)) return;
  const controlPlane = seen.state === 'planned' ? await controlPlaneOf(ports, lease, seen) : [];
  lease.require();
  const decided = await ports.store.transaction(async records => {
    const operation = await records.operations.lock(id);
    if (operation === undefined || !isOpen(operation)) return undefined;
    // Resumed this moment, and its control plane is not known yet: the next decision asks for it.
    if (operation.state === 'planned' && seen.state !== 'planned') return undefined;
    const decision: OpenDecision = { records, operation, nowMs: await records.nowMs() };
    if (typeof controlPlane === 'string') return waitForManager(decision, controlPlane);
    if (operation.state === 'planned') await records.operationHosts.setControlPlane(id, controlPlane);
    return carryOut(ports, decision);
  });
  if (decided === undefined) return;
  const { standing, checkAfterMs } = decided;
  if (!isOpen(standing)) ports.meter?.operationEnded(seen.kind, standing.state);
  // In a transaction of its own: it locks rows of many hosts.
  if (checkAfterMs !== null)
    await ports.store.transaction(async records => {
      const now = await records.nowMs();
      await records.agenda.checkMembers(seen.cluster, now - checkAfterMs, now);
    });
}

/** No host is started until the control plane is known. */
async function waitForManager(
  { records, operation, nowMs }: OpenDecision,
  problem: string,
): Promise<Decided> {
  await records.operations.setStanding({ ...operation, problem }, nowMs + ASK_AGAIN_MS);
  return { standing: operation, checkAfterMs: null };
}

async function readSnapshot(
  { settings }: EnginePorts,
  { records, operation, nowMs }: OpenDecision,
): Promise<Snapshot> {
  const { window } = operation.policy;
  return records.rollingSnapshots.read(operation, {
    nowMs,
    isPartitioned: await records.servers.isEveryPartitioned(nowMs),
    isHeld: await records.switches.isHeld(),
    checkIntervalMs: settings.checkIntervalMs,
    window: window
      ? { isOpen: isWindowOpen(window, nowMs), changesAtMs: nextChange(window, nowMs) }
      : { isOpen: true, changesAtMs: null },
  });
}

async function carryOut(ports: EnginePorts, decision: OpenDecision): Promise<Decided> {
  const { records, operation, nowMs } = decision;
  const snapshot = await readSnapshot(ports, decision);
  const decided = decide(snapshot);
  const { prepare, roll, clear, exclude, blockedBy, standing } = decided;
  // Not before the snapshot was read: by the record, too, no host has a slot before another has left it.
  const at = formatTimestamp(ports.clock.now());
  const tell = (happenings: readonly Happening[]) =>
    records.outbox.add(happenings.map(happening => toOutboxEntry(happening, LOCAL_ACTOR, at)));
  const change = { ...decision, at, tell, freshUntilMs: snapshot.freshUntilMs };
  await startHosts(ports, change, { stage: prepare, rollout: roll });
  await clearHosts(change, clear);
  await excludeHosts(change, exclude);
  await markBlocked(change, blockedBy);
  const dueAt = Math.min(decided.lookAgainAtMs ?? Number.POSITIVE_INFINITY, nowMs + LOOK_ANYWAY_MS);
  // An ignored member that is active again counts like every other from now on.
  const ignored = operation.ignored.filter(host => !snapshot.activeAgain.includes(host));
  const next = {
    ...operation,
    ...standing,
    waitingSinceMs: decided.waitingSinceMs,
    assessment: decided.assessment,
    finishedAt: isOpen(standing) ? null : at,
    ignored: [...ignored, ...exclude.map(({ host }) => host)],
  };
  await records.operations.setStanding(next, dueAt);
  await tell(standingTold(operation, standing));
  return { standing, checkAfterMs: decided.checkAfterMs };
}
