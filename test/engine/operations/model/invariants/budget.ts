// The budget according to the stored rows, computed independently of the engine. It is checked when a host
// gets a slot, because a host that goes down later cannot take the slot back. `down-hosts.ts` checks the same
// invariant on the hosts.

import type { Address } from '../../../../../src/domain/addresses/address.ts';
import type { HostAmount } from '../../../../../src/domain/rollout/policy.ts';
import type { OperationRow, PlannedRow, State } from '../stored-state.ts';
import { hostAt, isInFlight, isOutOfService, membersIn, plannedIn, policyOf } from '../stored-state.ts';
import type { Commit, Invariant } from './invariant.ts';
import { listed } from './invariant.ts';

export function hostsOf(amount: HostAmount, total: number): number {
  if (typeof amount === 'number') return amount;
  const percent = Number.parseInt(amount, 10);
  let hosts = 0;
  while ((hosts + 1) * 100 <= percent * total) hosts += 1;
  return hosts;
}

const countVerified = (state: State, operation: OperationRow): number =>
  plannedIn(state, operation).filter(row => row.phase === 'done' && row.is_already_there === 0).length;

/** Maximum number of hosts out of service. */
export function widthOf(state: State, operation: OperationRow): number {
  const { maxUnavailable, ramp } = policyOf(operation);
  const width = Math.max(1, hostsOf(maxUnavailable, membersIn(state, operation).length));
  if (!ramp) return width;
  let [allowed, needed] = [1, 1];
  for (; countVerified(state, operation) >= needed; needed += allowed) allowed *= 2;
  return Math.min(width, allowed);
}

/**
 * Members that use no budget: an administrator skipped them while they were down, or the operation excludes
 * them as unhealthy.
 */
export function ignoredBy(state: State, operation: OperationRow): Set<Address> {
  const excluded = plannedIn(state, operation).filter(row => row.skip_reason === 'unhealthy');
  return new Set([...JSON.parse(operation.ignored_hosts_json), ...excluded.map(row => row.host)]);
}

const holdingSlots = (state: State, operation: OperationRow): readonly Address[] =>
  plannedIn(state, operation)
    .filter(row => isInFlight(row) || (row.phase === 'failed' && row.holds_slot === 1))
    .map(row => row.host);

/** Members that are out of service and use the budget. */
function outOfService(state: State, operation: OperationRow): readonly Address[] {
  const ignored = ignoredBy(state, operation);
  return membersIn(state, operation)
    .filter(host => isOutOfService(host) && !ignored.has(host.address))
    .map(host => host.address);
}

/** Slots in use according to the rows. */
export const usedSlots = (state: State, operation: OperationRow): ReadonlySet<Address> =>
  new Set([...outOfService(state, operation), ...holdingSlots(state, operation)]);

interface Start {
  readonly operation: OperationRow;
  readonly started: readonly PlannedRow[];
}

/** Hosts that got a slot in this commit, by operation. */
function startsIn(commit: Commit): readonly Start[] {
  const started = commit.moved.flatMap(({ was, is }) => (isInFlight(is) && !isInFlight(was) ? [is] : []));
  return commit.after.operations.flatMap(operation => {
    const own = started.filter(row => row.operation === operation.id);
    return own.length > 0 ? [{ operation, started: own }] : [];
  });
}

const wasOutOfService = (state: State, { host }: PlannedRow): boolean => {
  const row = hostAt(state, host);
  return row !== undefined && isOutOfService(row);
};

export interface Slot {
  /** The host was out of service when it got the slot, so it uses no other slot. */
  readonly wasOutOfService: boolean;
  readonly width: number;
}

/** Slots of hosts, by operation, host and attempt. */
export class SlotLog {
  readonly #slots = new Map<string, Slot>();

  get({ operation, host, attempt }: PlannedRow): Slot | undefined {
    return this.#slots.get(`${operation} ${host} ${attempt}`);
  }

  readonly record = (commit: Commit): undefined => {
    const { before, after } = commit;
    for (const { operation, started } of startsIn(commit))
      for (const row of started)
        this.#slots.set(`${row.operation} ${row.host} ${row.attempt}`, {
          wasOutOfService: wasOutOfService(before, row),
          width: Math.max(widthOf(before, operation), widthOf(after, operation)),
        });
  };
}

const ofStarts =
  (check: (commit: Commit, start: Start) => string | undefined): Invariant =>
  commit => {
    for (const start of startsIn(commit)) {
      const violation = check(commit, start);
      if (violation) return `${listed(start.started.map(row => row.host))} got a slot ${violation}`;
    }
    return undefined;
  };

const slots = ofStarts(({ before, after }, { operation, started }) => {
  if (started.every(row => wasOutOfService(before, row))) return undefined;
  // Down before and after: on PostgreSQL another commit can lie between the two states.
  const downBefore = new Set(outOfService(before, operation));
  const down = outOfService(after, operation).filter(host => downBefore.has(host));
  const used = new Set([...down, ...holdingSlots(after, operation)]);
  const width = Math.max(widthOf(before, operation), widthOf(after, operation));
  return used.size > width ? `when ${used.size} of ${width} slots were used: ${listed(used)}` : undefined;
});

const canary = ofStarts(({ after }, { operation }) => {
  const rows = plannedIn(after, operation);
  const startedCount = rows.filter(row => isInFlight(row) || row.phase === 'failed').length;
  const [first, verified] = [policyOf(operation).canary, countVerified(after, operation)];
  return verified < first && verified + startedCount > first
    ? `before the ${first} canary hosts were verified: ${verified} verified, ${startedCount} started`
    : undefined;
});

const controlPlane = ofStarts(({ after }, { operation, started }) => {
  if (!started.some(row => row.is_control_plane === 1)) return undefined;
  const rows = plannedIn(after, operation);
  const isEnded = ({ phase }: PlannedRow) => ['done', 'failed', 'skipped'].includes(phase);
  if (rows.filter(isInFlight).length > 1) return 'beside other hosts, and one of them is a control-plane node';
  return rows.some(row => row.is_control_plane === 0 && !isEnded(row))
    ? 'before the last worker ended, and is a control-plane node'
    : undefined;
});

const failures = ofStarts(({ before, after }, { operation }) => {
  const failedBefore = new Set(
    plannedIn(before, operation)
      .filter(row => row.phase === 'failed')
      .map(row => row.host),
  );
  const failed = plannedIn(after, operation).filter(row => row.phase === 'failed' && failedBefore.has(row.host));
  const allowed = hostsOf(policyOf(operation).maxFailures, operation.host_count) + operation.acknowledged_failures;
  return failed.length > allowed ? `after ${failed.length} failures of at most ${allowed}` : undefined;
});

const requests = ofStarts(({ acknowledged }, { operation, started }) => {
  const { id } = operation;
  if (acknowledged.isGloballyPaused) return 'while all operations were paused';
  if (acknowledged.pausedByHand.has(id)) return 'while the operation was paused by hand';
  if (acknowledged.cancelled.has(id)) return 'after the operation was cancelled';
  return started.some(row => acknowledged.skipped.has(`${id} ${row.host}`)) ? 'after it was skipped' : undefined;
});

/** The windows of generated policies are in UTC and open every day. */
const window = ofStarts(({ after }, { operation }) => {
  const hours = policyOf(operation).window;
  const now = new Date(after.nowMs).toISOString().slice(11, 16);
  return hours && (now < hours.start || now >= hours.end) ? `at ${now}, outside its window` : undefined;
});

const maintenance = ofStarts(({ before }, { started }) =>
  started.some(({ host }) => hostAt(before, host)?.in_maintenance === 1) ? 'while it was in maintenance' : undefined,
);

/** Servers detect a partition within this time. */
const PARTITION_DETECTED_MS = 2 * 60_000;

const partition = ofStarts(({ time }) =>
  time.canDetectPartitions && time.hostsCutMs > PARTITION_DETECTED_MS
    ? `when no server had reached any host for ${Math.round(time.hostsCutMs / 1000)} s`
    : undefined,
);

export const BUDGET_INVARIANTS: readonly Invariant[] = [
  slots,
  canary,
  controlPlane,
  failures,
  requests,
  window,
  maintenance,
  partition,
];
