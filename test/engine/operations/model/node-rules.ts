// Nodes, and what is proved of a host that is done.

import { isOurMark } from '../../../../src/domain/rolling/cordon-mark.ts';
import type { MachineDeployment } from '../../../../src/drivers/machine.ts';
import type { SimulatedHost } from '../../../../src/drivers/transport/sim/simulated-host.ts';
import type { Commit, Rule } from './rule.ts';
import type { OperationRow, PlannedRow } from './state.ts';
import { isInFlight, policyOf } from './state.ts';

/** A step that was tried while the manager was away ends a little later. */
const GRACE_MS = 30_000;

const foreignStays: Rule = ({ before, after, told }) => {
  if (told.isCordoning) return undefined;
  for (const [node, was] of before.nodes) {
    if (was === undefined || isOurMark(was) || !after.nodes.has(node)) continue;
    const is = after.nodes.get(node);
    if (is !== was) return `the node ${node} was cordoned by ${was}, and is by ${is ?? 'nobody'}`;
  }
  return undefined;
};

/** Whether somebody who reads the records knows of it. */
const isSaid = ({ after }: Commit, node: string): boolean =>
  after.planned.some(row => row.host === node && row.is_cordoned === 1);

const everyCordonIsKnown: Rule = commit => {
  for (const [node, mark] of commit.after.nodes)
    if (mark !== undefined && isOurMark(mark) && !isSaid(commit, node))
      return `the node ${node} is cordoned by ${mark}, and no record says so`;
  return undefined;
};

const leftCordonedIsSaid: Rule = ({ after }) => {
  const silent = after.planned.find(
    row =>
      ['failed', 'skipped'].includes(row.phase) &&
      row.is_cordoned === 1 &&
      !row.problem.includes('left cordoned'),
  );
  return (
    silent &&
    `${silent.host} is ${silent.phase} and left cordoned, and says ${JSON.stringify(silent.problem)}`
  );
};

/** A node that was only cordoned is let go of, unless its manager was away, or an attempt before had left it so. */
const undoneCordons: Rule = ({ moved, after, told }) => {
  const isExcused = after.nowMs < told.managerAwayUntilMs + GRACE_MS;
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

const offered = ({ machine }: SimulatedHost): string | undefined => machine.offered.get('os');

const isUpToDate = ({ machine }: SimulatedHost): boolean =>
  [...machine.packages].every(([name, version]) => (machine.offered.get(name) ?? version) === version);

/** What an operation was to bring about, and has not. */
function missing(host: SimulatedHost, operation: OperationRow): string | undefined {
  const { kind, version } = operation;
  const { booted } = host.machine;
  const bootedAs = (wanted: string | undefined, { version: is }: MachineDeployment) =>
    is === wanted ? undefined : `runs ${is} instead of ${wanted}`;
  if (kind === 'deploy') return booted ? bootedAs(version, booted) : 'has no deployment';
  if (kind !== 'upgrade') return undefined;
  if (booted === undefined) return isUpToDate(host) ? undefined : 'has old packages';
  return policyOf(operation).reboot === 'never' ? undefined : bootedAs(offered(host), booted);
}

function proofProblem({ after, machineAt }: Commit, row: PlannedRow, bootBefore: string | undefined) {
  const operation = after.operations.find(({ id }) => id === row.operation);
  const host = machineAt(row.host);
  if (operation === undefined) return undefined;
  // What another operation has left is taken over by one that cordons, and left alone by others.
  const mark = after.nodes.get(row.host) ?? '';
  const isTakenOver = policyOf(operation).drain !== null && row.is_already_there === 0;
  if (isTakenOver ? isOurMark(mark) : mark.includes(operation.id)) return `is cordoned by ${mark}`;
  const isRebootDue = policyOf(operation).reboot === 'always' || operation.kind === 'deploy';
  if (row.is_already_there === 0 && isRebootDue && host.machine.bootId === bootBefore)
    return 'is still in the boot that it was to leave';
  return missing(host, operation);
}

/** Remembers in which boot hosts were when they got their slot. */
export function proofRule(): Rule {
  const boots = new Map<string, string>();
  return commit => {
    for (const { was, is } of commit.moved) {
      const key = `${is.operation} ${is.host} ${is.attempt}`;
      if (isInFlight(is) && !isInFlight(was)) boots.set(key, commit.machineAt(is.host).machine.bootId);
      if (is.phase !== 'done' || was.phase === 'done') continue;
      const problem = proofProblem(commit, is, boots.get(key));
      if (problem) return `${is.host} is done, and ${problem}`;
    }
    return undefined;
  };
}

export const NODE_RULES: readonly Rule[] = [
  foreignStays,
  everyCordonIsKnown,
  leftCordonedIsSaid,
  undoneCordons,
];
