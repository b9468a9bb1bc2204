// The budget, worked out once more from the rows alone. It is looked at when a host gets its slot: whoever is down by then may be down.

import type { Address } from '../../../../src/domain/addresses/address.ts';
import type { Amount } from '../../../../src/domain/rolling/policy.ts';
import type { Commit, Rule } from './rule.ts';
import type { OperationRow, PlannedRow, State } from './state.ts';
import { hostAt, isDown, isInFlight, plannedIn, policyOf } from './state.ts';

function hostsOf(amount: Amount, total: number): number {
  if (typeof amount === 'number') return amount;
  const percent = Number.parseInt(amount, 10);
  let hosts = 0;
  while ((hosts + 1) * 100 <= percent * total) hosts += 1;
  return hosts;
}

const membersIn = (state: State, { cluster }: OperationRow) =>
  state.hosts.filter(host => host.cluster === cluster);

const provedIn = (state: State, operation: OperationRow): number =>
  plannedIn(state, operation).filter(row => row.phase === 'done' && row.is_already_there === 0).length;

function widthOf(state: State, operation: OperationRow): number {
  const { maxUnavailable, ramp } = policyOf(operation);
  const width = Math.max(1, hostsOf(maxUnavailable, membersIn(state, operation).length));
  if (!ramp) return width;
  let [allowed, needed] = [1, 1];
  for (; provedIn(state, operation) >= needed; needed += allowed) allowed *= 2;
  return Math.min(width, allowed);
}

/** Down before and after: beside PostgreSQL another commit may have come in between. */
function usedSlots({ before, after }: Commit, operation: OperationRow): ReadonlySet<Address> {
  const ignored: readonly Address[] = JSON.parse(operation.ignored_json);
  const downBefore = new Set(
    membersIn(before, operation)
      .filter(isDown)
      .map(host => host.address),
  );
  const down = membersIn(after, operation)
    .filter(host => isDown(host) && downBefore.has(host.address) && !ignored.includes(host.address))
    .map(host => host.address);
  const own = plannedIn(after, operation)
    .filter(row => isInFlight(row) || (row.phase === 'failed' && row.keeps_slot === 1))
    .map(row => row.host);
  return new Set([...down, ...own]);
}

interface Start {
  readonly operation: OperationRow;
  readonly started: readonly PlannedRow[];
}

/** Who got a slot in this commit, by operation. */
function startsIn(commit: Commit): readonly Start[] {
  const started = commit.moved.flatMap(({ was, is }) => (isInFlight(is) && !isInFlight(was) ? [is] : []));
  return commit.after.operations.flatMap(operation => {
    const own = started.filter(row => row.operation === operation.id);
    return own.length > 0 ? [{ operation, started: own }] : [];
  });
}

const names = (hosts: Iterable<Address>) => [...hosts].join(', ');

/** Says of each start what is wrong with it. */
const ofStarts =
  (problem: (commit: Commit, start: Start) => string | undefined): Rule =>
  commit => {
    for (const start of startsIn(commit)) {
      const found = problem(commit, start);
      if (found) return `${names(start.started.map(row => row.host))} got a slot ${found}`;
    }
    return undefined;
  };

const slots = ofStarts((commit, { operation, started }) => {
  const wasDown = ({ host }: PlannedRow) => {
    const row = hostAt(commit.before, host);
    return row !== undefined && isDown(row);
  };
  if (started.every(wasDown)) return undefined;
  const used = usedSlots(commit, operation);
  const width = Math.max(widthOf(commit.before, operation), widthOf(commit.after, operation));
  return used.size > width ? `when ${used.size} of ${width} slots were used: ${names(used)}` : undefined;
});

const canary = ofStarts(({ after }, { operation }) => {
  const rows = plannedIn(after, operation);
  const begun = rows.filter(row => isInFlight(row) || row.phase === 'failed').length;
  const [first, proved] = [policyOf(operation).canary, provedIn(after, operation)];
  return proved < first && proved + begun > first
    ? `before the first ${first} were proved: ${proved} are, ${begun} are begun`
    : undefined;
});

const controlPlane = ofStarts(({ after }, { operation, started }) => {
  if (!started.some(row => row.is_control_plane === 1)) return undefined;
  const rows = plannedIn(after, operation);
  const isEnded = ({ phase }: PlannedRow) => ['done', 'failed', 'skipped'].includes(phase);
  if (rows.filter(isInFlight).length > 1) return 'beside others, and one of them is of the control plane';
  return rows.some(row => row.is_control_plane === 0 && !isEnded(row))
    ? 'before the last worker was done, and is of the control plane'
    : undefined;
});

const failures = ofStarts(({ before, after }, { operation }) => {
  const failedBefore = new Set(
    plannedIn(before, operation)
      .filter(row => row.phase === 'failed')
      .map(row => row.host),
  );
  const failed = plannedIn(after, operation).filter(
    row => row.phase === 'failed' && failedBefore.has(row.host),
  );
  const allowed = hostsOf(policyOf(operation).maxFailures, operation.planned) + operation.forgiven_failures;
  return failed.length > allowed ? `after ${failed.length} failures of ${allowed}` : undefined;
});

const people = ofStarts(({ told }, { operation, started }) => {
  const { id } = operation;
  if (told.isHeld) return 'while all operations were held';
  if (told.pausedByHand.has(id)) return 'while the operation was paused by hand';
  if (told.cancelled.has(id)) return 'after the operation was cancelled';
  return started.some(row => told.skipped.has(`${id} ${row.host}`)) ? 'after it was skipped' : undefined;
});

/** The windows of the model are in UTC and open every day. */
const window = ofStarts(({ after }, { operation }) => {
  const hours = policyOf(operation).window;
  const now = new Date(after.nowMs).toISOString().slice(11, 16);
  return hours && (now < hours.start || now >= hours.end) ? `at ${now}, outside of its window` : undefined;
});

const maintenance = ofStarts(({ before }, { started }) =>
  started.some(({ host }) => hostAt(before, host)?.in_maintenance === 1)
    ? 'while people had it in maintenance'
    : undefined,
);

export const BUDGET_RULES: readonly Rule[] = [
  slots,
  canary,
  controlPlane,
  failures,
  people,
  window,
  maintenance,
];
