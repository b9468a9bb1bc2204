// Cordons of nodes, and the state of a host that is done.

import { isHostlerOwner } from '../../../../../src/domain/rollout/operation-host.ts';
import type { SimulatedHost } from '../../../../../src/simulator/simulated-host.ts';
import type { MachineDeployment } from '../../../../../src/simulator/simulated-machine.ts';
import type { OperationRow, PlannedRow } from '../stored-state.ts';
import { isInFlight, policyOf } from '../stored-state.ts';
import type { Commit, Invariant } from './invariant.ts';

/** A step that started while the container manager was unavailable ends slightly later. */
const GRACE_MS = 30_000;

const foreignCordonsAreKept: Invariant = ({ before, after, acknowledged }) => {
  if (acknowledged.isCordoning) return undefined;
  for (const [node, was] of before.nodes) {
    if (was === undefined || isHostlerOwner(was) || !after.nodes.has(node)) continue;
    const is = after.nodes.get(node);
    if (is !== was) return `node ${node} was cordoned by ${was}, and is now cordoned by ${is ?? 'no owner'}`;
  }
  return undefined;
};

const isRecorded = ({ after }: Commit, node: string): boolean =>
  after.planned.some(row => row.host === node && row.is_cordoned === 1);

const cordonsAreRecorded: Invariant = commit => {
  for (const [node, mark] of commit.after.nodes)
    if (mark !== undefined && isHostlerOwner(mark) && !isRecorded(commit, node))
      return `node ${node} is cordoned by ${mark}, and no record says so`;
  return undefined;
};

const remainingCordonsAreReported: Invariant = ({ after }) => {
  const silent = after.planned.find(
    row =>
      ['failed', 'skipped'].includes(row.phase) && row.is_cordoned === 1 && !row.problem.includes('still cordoned'),
  );
  return (
    silent &&
    `${silent.host} is ${silent.phase} and left cordoned, and its problem is ${JSON.stringify(silent.problem)}`
  );
};

/**
 * A node that was cordoned but not rebooted is uncordoned, unless its manager was unavailable or an earlier
 * attempt left it cordoned.
 */
const cordonsAreRolledBack: Invariant = ({ moved, after, acknowledged }) => {
  const isExcused = after.nowMs < acknowledged.managerDownUntilMs + GRACE_MS;
  const left = moved.find(
    ({ was, is }) =>
      ['cordoning', 'draining'].includes(was.phase) &&
      ['failed', 'skipped'].includes(is.phase) &&
      is.is_cordoned === 1 &&
      is.attempt === 1,
  );
  return left && !isExcused
    ? `${left.is.host} went from ${left.was.phase} to ${left.is.phase}, and is left cordoned`
    : undefined;
};

const availableVersion = ({ machine }: SimulatedHost): string | undefined => machine.available.get('os');

const isUpToDate = ({ machine }: SimulatedHost): boolean =>
  [...machine.packages].every(([name, version]) => (machine.available.get(name) ?? version) === version);

/** Returns the change that the operation should have made on the host but did not make. */
function missingChange(host: SimulatedHost, operation: OperationRow): string | undefined {
  const { kind, version } = operation;
  const { booted } = host.machine;
  const bootedAs = (wanted: string | undefined, { version: is }: MachineDeployment) =>
    is === wanted ? undefined : `runs ${is} instead of ${wanted}`;
  if (kind === 'deploy') return booted ? bootedAs(version, booted) : 'has no deployment';
  if (kind !== 'upgrade') return undefined;
  if (booted === undefined) return isUpToDate(host) ? undefined : 'has old packages';
  return policyOf(operation).reboot === 'never' ? undefined : bootedAs(availableVersion(host), booted);
}

function checkDone({ after, machineAt }: Commit, row: PlannedRow, bootBefore: string | undefined) {
  const operation = after.operations.find(({ id }) => id === row.operation);
  const host = machineAt(row.host);
  if (operation === undefined) return undefined;
  // An operation that cordons takes over cordons of other operations. An operation that does not cordon
  // leaves them.
  const mark = after.nodes.get(row.host) ?? '';
  const takesOverCordons = policyOf(operation).drain !== null && row.is_already_there === 0;
  if (takesOverCordons ? isHostlerOwner(mark) : mark.includes(operation.id)) return `is cordoned by ${mark}`;
  const isRebootDue = policyOf(operation).reboot === 'always' || operation.kind === 'deploy';
  if (row.is_already_there === 0 && isRebootDue && host.machine.bootId === bootBefore)
    return 'still runs the boot that it had to leave';
  return missingChange(host, operation);
}

/** Remembers the boot in which each host got its slot. */
export function doneInvariant(): Invariant {
  const boots = new Map<string, string>();
  return commit => {
    for (const { was, is } of commit.moved) {
      const key = `${is.operation} ${is.host} ${is.attempt}`;
      if (isInFlight(is) && !isInFlight(was)) boots.set(key, commit.machineAt(is.host).machine.bootId);
      if (is.phase !== 'done' || was.phase === 'done') continue;
      const found = checkDone(commit, is, boots.get(key));
      if (found) return `${is.host} is done, and ${found}`;
    }
    return undefined;
  };
}

export const NODE_INVARIANTS: readonly Invariant[] = [
  foreignCordonsAreKept,
  cordonsAreRecorded,
  remainingCordonsAreReported,
  cordonsAreRolledBack,
];
