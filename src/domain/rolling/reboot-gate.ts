// The budget is checked once more before a host reboots: a drain or an upgrade takes long, and other members may have failed meanwhile.

import type { Address } from '../addresses/address.ts';
import { outOfService, widthOf } from './budget.ts';
import { nameHosts } from './outage.ts';
import type { BeforeReboot, Snapshot } from './snapshot.ts';

/**
 * Hosts that would be out of service beside this one if it rebooted now. Of hosts in flight that have not rebooted either, those that answer
 * and come later in the plan do not count: else two hosts would wait for each other.
 */
function usedByOthers(
  snapshot: Snapshot,
  { host, position }: BeforeReboot,
  cleared: readonly Address[],
): ReadonlySet<Address> {
  const later = new Set(
    snapshot.beforeReboot
      .filter(other => other.position > position && other.hasAnswered && !cleared.includes(other.host))
      .map(other => other.host),
  );
  const down = new Set(snapshot.down.map(outage => outage.host));
  return new Set(
    [...outOfService(snapshot)].filter(other => other !== host && (down.has(other) || !later.has(other))),
  );
}

/** Hosts that ask to reboot, and may: every other member is known to answer or to be out of service, and the others leave a slot. */
export function hostsCleared(snapshot: Snapshot): readonly Address[] {
  if (snapshot.isPartitioned) return [];
  const width = widthOf(snapshot);
  const cleared: Address[] = [];
  for (const one of snapshot.beforeReboot) {
    if (!one.isAsking || snapshot.unchecked.some(other => other !== one.host)) continue;
    if (usedByOthers(snapshot, one, cleared).size < width) cleared.push(one.host);
  }
  return cleared;
}

/** Why hosts that ask to reboot have to wait. */
export function rebootProblem(snapshot: Snapshot, asking: string): string {
  const { isPartitioned, unchecked, down, keeping } = snapshot;
  if (isPartitioned) return `the reboot of ${asking} is waiting: no server reaches most hosts`;
  if (unchecked.length > 0) return `before the reboot of ${asking}: checking ${nameHosts(unchecked, down)}`;
  const others = [...down.map(({ host }) => host), ...keeping];
  return `the reboot of ${asking} is waiting for ${nameHosts(others, down) || 'hosts that reboot first'}`;
}
