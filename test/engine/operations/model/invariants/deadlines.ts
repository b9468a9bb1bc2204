// No host stays in an active phase beyond the timeout of the phase.

import type { Policy } from '../../../../../src/domain/rollout/policy.ts';
import type { HostPhase } from '../../../../../src/domain/vocabulary.ts';
import type { OperationRow, PlannedRow } from '../stored-state.ts';
import { isInFlight, isPreparing, membersIn, policyOf } from '../stored-state.ts';
import { Stopwatch } from '../undisturbed-time.ts';
import { usedSlots, widthOf } from './budget.ts';
import { ignoredOnHosts } from './down-hosts.ts';
import type { Commit, Invariant } from './invariant.ts';

/**
 * An attempt that started before the deadline can end 90 s after it. Up to two more attempts of 30 s follow
 * before an unresponsive host counts as failed. 45 s is the lease time of the model.
 */
const SLACK_S = 90 + 60 + 45;
/**
 * Maximum time for locking a staged image again, and for creating the marker that stops a late reboot
 * command.
 */
const LOCK_AGAIN_S = 120;
const CANCEL_REBOOT_S = 60;

/** Timeout of each active phase, and the maximum time of its rollback while the phase is still recorded. */
function timeoutsOf({ timeouts, drain }: Policy): Partial<Record<HostPhase, readonly [number, number]>> {
  const { readyS, stageS, applyS, rebootS } = timeouts;
  const drainS = drain?.timeoutS ?? 0;
  return {
    preflight: [readyS, 0],
    staging: [stageS, 0],
    cordoning: [drainS, readyS],
    draining: [drain?.onTimeout === 'force' ? 2 * drainS : drainS, readyS],
    applying: [applyS, LOCK_AGAIN_S],
    armed: [rebootS, CANCEL_REBOOT_S + LOCK_AGAIN_S + readyS],
    rebooting: [rebootS, LOCK_AGAIN_S],
    verifying: [readyS, 0],
    uncordoning: [readyS, 0],
  };
}

/** An `armed` host waits while the other hosts use all slots. */
function waitsForBudget({ after, machineAt }: Commit, row: PlannedRow, operation: OperationRow): boolean {
  if (row.phase !== 'armed') return false;
  const ignored = ignoredOnHosts(after, operation);
  const down = membersIn(after, operation)
    .map(({ address }) => address)
    .filter(address => !ignored.has(address) && machineAt(address).downSinceMs !== undefined);
  const others = new Set([...usedSlots(after, operation), ...down]);
  others.delete(row.host);
  return others.size >= widthOf(after, operation);
}

interface Stay {
  readonly phase: string;
  readonly watch: Stopwatch;
}

export function deadlineInvariant(): Invariant {
  const stays = new Map<string, Stay>();
  return commit => {
    const { after, time } = commit;
    for (const row of after.planned) {
      const key = `${row.operation} ${row.host} ${row.attempt}`;
      if (!isInFlight(row) && !isPreparing(row)) {
        stays.delete(key);
        continue;
      }
      const operation = after.operations.find(({ id }) => id === row.operation);
      if (operation === undefined) continue;
      const stay = stays.get(key);
      if (stay?.phase !== row.phase || waitsForBudget(commit, row, operation)) {
        stays.set(key, { phase: row.phase, watch: new Stopwatch(time) });
        continue;
      }
      const [timeoutS, rollbackS] = timeoutsOf(policyOf(operation))[row.phase] ?? [0, 0];
      const elapsedS = stay.watch.elapsedMs / 1000;
      if (elapsedS > timeoutS + rollbackS + SLACK_S)
        return `${row.host} has been ${row.phase} for ${Math.round(elapsedS)} s, with a timeout of ${timeoutS} s; its problem is ${JSON.stringify(row.problem)}`;
    }
    return undefined;
  };
}
