// The budget, measured on the hosts. When a reboot command takes a host down, the hosts that are down for
// more than 20 s and the hosts that Hostler took down are together at most `max_unavailable`.

import type { Address } from '../../../../../src/domain/addresses/address.ts';
import { parseTimestamp } from '../../../../../src/domain/timestamp.ts';
import type { SimulatedHost } from '../../../../../src/simulator/simulated-host.ts';
import type { AcceptedReboot } from '../reboot-commands.ts';
import type { HostRow, OperationRow, State } from '../stored-state.ts';
import { membersIn, plannedIn } from '../stored-state.ts';
import type { SlotLog } from './budget.ts';
import { ignoredBy, widthOf } from './budget.ts';
import type { Commit } from './invariant.ts';

/** The engine may not have detected a shorter outage. */
const UNDETECTED_MS = 20_000;
/**
 * From the command until the host goes down, on a host without faults: 20 ms, 1 s in the script and 200 ms.
 */
const USUAL_DELAY_MS = 2000;
/** Faults that delay a command after the engine decided on it. */
const DELAYING = ['slow', 'frozen', 'reboot_late'] as const;

/**
 * Members whose outage does not count. An administrator may have skipped a host before a record showed that
 * it was down.
 */
export function ignoredOnHosts(state: State, operation: OperationRow): ReadonlySet<Address> {
  const ignored = ignoredBy(state, operation);
  for (const row of plannedIn(state, operation)) if (row.skip_reason === 'by_hand') ignored.add(row.host);
  return ignored;
}

interface Reboot {
  readonly host: SimulatedHost;
  readonly accepted: AcceptedReboot;
  readonly nowMs: number;
}

export class DownHosts {
  readonly #slots: SlotLog;
  readonly #machineAt: (address: Address) => SimulatedHost;
  /** Start of the membership, by address, enrolment and cluster. */
  readonly #memberSince = new Map<string, number>();
  /** Time of the last reboot by a command, except commands that the host delayed. */
  readonly #takenDownAt = new Map<Address, number>();

  constructor(slots: SlotLog, machineAt: (address: Address) => SimulatedHost) {
    this.#slots = slots;
    this.#machineAt = machineAt;
  }

  readonly recordMembers = ({ after }: Pick<Commit, 'after'>): undefined => {
    const members = new Set<string>();
    for (const { address, enrolment, cluster } of after.hosts)
      if (cluster !== null) members.add(`${address} ${enrolment} ${cluster}`);
    for (const key of this.#memberSince.keys()) if (!members.has(key)) this.#memberSince.delete(key);
    for (const key of members) if (!this.#memberSince.has(key)) this.#memberSince.set(key, after.nowMs);
  };

  /** Called when a reboot command has taken a host down. Returns the violation, if any. */
  checkReboot(reboot: Reboot, state: State): string | undefined {
    const { host, accepted, nowMs } = reboot;
    const isDelayed = accepted.isDelayed || nowMs - accepted.sentAtMs > USUAL_DELAY_MS || isDelaying(host);
    if (!isDelayed) this.#takenDownAt.set(host.address, nowMs);
    const operation = state.operations.find(({ id }) => id === accepted.operation);
    const row = state.planned.find(
      candidate =>
        candidate.operation === accepted.operation &&
        candidate.attempt === accepted.attempt &&
        candidate.host === host.address,
    );
    const slot = row && this.#slots.get(row);
    // A host that is already out of service uses no second slot.
    if (operation === undefined || slot === undefined || slot.wasOutOfService) return undefined;
    const decidedAtMs = isDelayed ? accepted.decidedAtMs : nowMs;
    const ignored = ignoredOnHosts(state, operation);
    const down = membersIn(state, operation).filter(({ address }) => address !== host.address && !ignored.has(address));
    const counted = down.flatMap(member => this.#describeDown(member, operation, decidedAtMs, nowMs) ?? []);
    const width = Math.max(slot.width, widthOf(state, operation));
    return counted.length + 1 > width
      ? `${host.address} was rebooted with ${counted.length} other hosts down and max_unavailable ${width}: ${counted.join(', ')}`
      : undefined;
  }

  /** Returns why a member counts as down, or `undefined` if it does not count. */
  #describeDown(
    { address, enrolment, cluster }: HostRow,
    operation: OperationRow,
    decidedAtMs: number,
    nowMs: number,
  ): string | undefined {
    const { downSinceMs } = this.#machineAt(address);
    if (downSinceMs === undefined) return undefined;
    const forS = `${Math.round((nowMs - downSinceMs) / 1000)} s`;
    const takenDownAt = this.#takenDownAt.get(address);
    if (takenDownAt !== undefined && takenDownAt >= downSinceMs && takenDownAt <= decidedAtMs)
      return `${address} rebooted by Hostler ${forS} ago`;
    const memberSinceMs = this.#memberSince.get(`${address} ${enrolment} ${cluster}`) ?? nowMs;
    const sinceMs = Math.max(downSinceMs, memberSinceMs);
    // The engine checks all members before the first host, so it always detects an outage before the request.
    const isBeforeRequest = sinceMs < parseTimestamp(operation.started_at);
    return isBeforeRequest || sinceMs < decidedAtMs - UNDETECTED_MS ? `${address} down for ${forS}` : undefined;
  }
}

export const isDelaying = ({ faults }: SimulatedHost): boolean =>
  DELAYING.some(kind => faults?.find(kind) !== undefined);
