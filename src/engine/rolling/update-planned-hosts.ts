// What a decision writes about single hosts, apart from starting them.

import type { Address } from '../../domain/addresses/address.ts';
import { clearedUntil } from '../../domain/rolling/freshness.ts';
import type { Outage } from '../../domain/rolling/outage.ts';
import { describeOutage, outageError } from '../../domain/rolling/outage.ts';
import type { PlannedHost } from '../../domain/rolling/planned-host.ts';
import { blocked, skipped } from '../../domain/rolling/planned-host.ts';
import { hostTold } from '../../domain/rolling/told.ts';
import type { DecisionChange } from './decision-change.ts';

/** Lets hosts in flight be sent their reboot, for as long as the answers of the other members count. */
export async function clearHosts(change: DecisionChange, hosts: readonly Address[]): Promise<void> {
  if (hosts.length === 0) return;
  const { records, operation, nowMs } = change;
  // The agenda before the rows of the operation, as turns lock them.
  await records.agenda.hasten(hosts, nowMs);
  await records.work.hasten(operation.id, hosts, nowMs);
  await records.operationHosts.setCleared(operation.id, hosts, clearedUntil(nowMs, change.freshUntilMs));
}

async function pendingAmong(
  { records, operation }: DecisionChange,
  outages: readonly Outage[],
): Promise<readonly { readonly planned: PlannedHost; readonly outage: Outage }[]> {
  const known = new Map(outages.map(outage => [outage.host, outage]));
  const planned = await records.operationHosts.among(operation.id, [...known.keys()]);
  return planned.flatMap(one => {
    const outage = known.get(one.host);
    return outage && one.phase === 'pending' ? [{ planned: one, outage }] : [];
  });
}

/** Skips the hosts of the plan that are unhealthy. */
export async function excludeHosts(change: DecisionChange, outages: readonly Outage[]): Promise<void> {
  const excluded = (await pendingAmong(change, outages)).map(({ planned, outage }) =>
    skipped(planned, change.at, 'unhealthy', { problem: describeOutage(outage) }),
  );
  await writeAll(change, excluded);
}

/** The records of hosts that keep the operation from starting say so. */
export async function markBlocked(change: DecisionChange, outages: readonly Outage[]): Promise<void> {
  const marked = (await pendingAmong(change, outages)).map(({ planned, outage }) =>
    blocked(planned, {
      problem: outageError(outage),
      isUnreachable: outage.reason === 'unreachable',
    }),
  );
  await writeAll(change, marked);
}

async function writeAll(
  { records, operation, tell }: DecisionChange,
  hosts: readonly PlannedHost[],
): Promise<void> {
  if (hosts.length === 0) return;
  await records.operationHosts.updateAll(operation.id, hosts);
  await tell(hosts.map(planned => hostTold(operation, planned)));
}
