// One look at an operation: what the rule says is written, all of it or nothing, under the lock of the operation. Whoever decides next sees it.

import { LOCAL_ACTOR } from '../../domain/accounts/actor.ts';
import type { Happening } from '../../domain/events/happening.ts';
import { toOutboxEntry } from '../../domain/events/outbox.ts';
import { decide } from '../../domain/rolling/decide.ts';
import type { Standing } from '../../domain/rolling/operation.ts';
import { isOpen } from '../../domain/rolling/operation.ts';
import { standingTold } from '../../domain/rolling/told.ts';
import { isOpen as isWindowOpen, nextChange } from '../../domain/rolling/window.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Lease } from '../lease.ts';
import type { EnginePorts } from '../ports.ts';
import { controlPlaneOf } from './control-plane.ts';
import type { OpenDecision } from './decision-change.ts';
import { startHosts } from './start-hosts.ts';

/** An operation is looked at anyway after so long: what has happened elsewhere may have been missed. */
export const LOOK_ANYWAY_MS = 30_000;
/** A container manager that does not answer is asked again after so long. */
const ASK_AGAIN_MS = 5000;

export async function decisionTurn(ports: EnginePorts, lease: Lease, id: string): Promise<void> {
  const seen = await ports.store.reads.operations.get(id);
  if (seen === undefined || !isOpen(seen)) return;
  const controlPlane = seen.state === 'planned' ? await controlPlaneOf(ports, lease, seen) : [];
  lease.require();
  const standing = await ports.store.transaction(async records => {
    const operation = await records.operations.lock(id);
    if (operation === undefined || !isOpen(operation)) return undefined;
    // Resumed this moment, and nobody has asked for its control plane yet: the next look does.
    if (operation.state === 'planned' && seen.state !== 'planned') return undefined;
    const decision: OpenDecision = { records, operation, nowMs: await records.nowMs() };
    if (typeof controlPlane === 'string') return waitForManager(decision, controlPlane);
    if (operation.state === 'planned') await records.operationHosts.setControlPlane(id, controlPlane);
    return carryOut(ports, decision);
  });
  if (standing && !isOpen(standing)) ports.meter?.operationEnded(seen.kind, standing.state);
}

/** Until it is known who belongs to the control plane, nobody is started on. */
async function waitForManager(
  { records, operation, nowMs }: OpenDecision,
  problem: string,
): Promise<Standing> {
  await records.operations.setStanding({ ...operation, problem }, nowMs + ASK_AGAIN_MS);
  return operation;
}

async function carryOut(ports: EnginePorts, decision: OpenDecision): Promise<Standing> {
  const { records, operation, nowMs } = decision;
  const { window } = operation.policy;
  const snapshot = await records.rollingSnapshots.read(operation, {
    nowMs,
    isHeld: await records.switches.isHeld(),
    window: window
      ? { isOpen: isWindowOpen(window, nowMs), changesAtMs: nextChange(window, nowMs) }
      : { isOpen: true, changesAtMs: null },
  });
  const { prepare, roll, standing, waitingSinceMs, lookAgainAtMs } = decide(snapshot);
  // Not before the snapshot was read: by the record, too, no host has a slot before another has left it.
  const at = formatTimestamp(ports.clock.now());
  const tell = (happenings: readonly Happening[]) =>
    records.outbox.add(happenings.map(happening => toOutboxEntry(happening, LOCAL_ACTOR, at)));
  await startHosts(ports, { ...decision, at, tell }, { stage: prepare, roll });
  const finishedAt = isOpen(standing) ? null : at;
  const dueAt = Math.min(lookAgainAtMs ?? Number.POSITIVE_INFINITY, nowMs + LOOK_ANYWAY_MS);
  // Who is active again is waited for like everybody else, the next time.
  const ignored = operation.ignored.filter(host => !snapshot.activeAgain.includes(host));
  const next = { ...operation, ...standing, waitingSinceMs, finishedAt, ignored };
  await records.operations.setStanding(next, dueAt);
  await tell(standingTold(operation, standing));
  return standing;
}
