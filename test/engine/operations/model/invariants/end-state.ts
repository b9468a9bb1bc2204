// Invariants after all operations have ended and all faults are cleared.

import type { Address } from '../../../../../src/domain/addresses/address.ts';
import { isHostlerOwner } from '../../../../../src/domain/rollout/operation-host.ts';
import { listOutboxEntries as readEvents } from '../../../../harness/events/outbox-entries.ts';
import { KEY } from '../../../../harness/simulation/simulation.ts';
import type { PlannedRow } from '../stored-state.ts';
import { isOpen, phasesOf } from '../stored-state.ts';
import type { TestCluster } from '../test-cluster.ts';

type EndInvariant = (cluster: TestCluster) => string | undefined | Promise<string | undefined>;

/** Counts the attempts in which the host was armed, so it may have rebooted. */
function countArmedAttempts(rows: readonly PlannedRow[], address: Address): number {
  const armed = new Set<string>();
  for (const row of rows) {
    if (row.host !== address) continue;
    for (const { phase, attempt } of phasesOf(row)) if (phase === 'armed') armed.add(`${row.operation} ${attempt}`);
  }
  return armed.size;
}

const rebootedOncePerAttempt: EndInvariant = ({ simulation, monitor }) => {
  for (const host of simulation.fleet.hosts) {
    const requested = host.boots.filter(({ cause }) => cause === 'requested').length;
    const attempts = countArmedAttempts(monitor.state.planned, host.address);
    if (requested > attempts) return `${host.address} was rebooted ${requested} times in ${attempts} attempts`;
  }
  return undefined;
};

const remainingCordonsAreRecorded: EndInvariant = ({ monitor: { state } }) => {
  for (const [node, mark] of state.nodes) {
    if (mark === undefined || !isHostlerOwner(mark)) continue;
    const [, operation] = mark.split('/');
    const row = state.planned.find(candidate => candidate.operation === operation && candidate.host === node);
    if (row?.is_cordoned !== 1) return `node ${node} is still cordoned by ${mark}, and its record is not`;
  }
  return undefined;
};

const noTaskRemains: EndInvariant = ({ monitor: { state } }) => {
  if (state.operations.some(isOpen)) return undefined;
  const task = state.tasks.find(({ kind }) => kind === 'stage' || kind === 'rollout');
  const row = state.planned.find(({ phase }) => !['done', 'failed', 'skipped', 'pending', 'staging'].includes(phase));
  if (row) return `all operations have ended, and ${row.host} is ${row.phase}`;
  return task && `all operations have ended, and ${task.host} still has a ${task.kind} task`;
};

const noServerLoggedAnException: EndInvariant = ({ simulation }) => {
  const broken = simulation.servers
    .flatMap(({ warnings, log }) => (warnings.some(entry => /failed unexpectedly/.test(entry)) ? log : []))
    .find(line => /failed unexpectedly/.test(line));
  return broken && `a server logged: ${broken}`;
};

const secretsStaySecret: EndInvariant = async ({ simulation, monitor }) => {
  const secret = KEY.reveal();
  const logs = simulation.servers.flatMap(({ log }) => log);
  const published = (await readEvents(simulation.store)).map(item => JSON.stringify(item));
  for (const { id } of monitor.state.operations)
    for (const { host } of (await simulation.store.reads.operationHosts.list(id)).items)
      published.push(JSON.stringify(await simulation.store.reads.operationOutput.list(id, host)));
  return [...logs, ...published].some(line => line.includes(secret)) ? 'a secret was published' : undefined;
};

export const END_INVARIANTS: readonly EndInvariant[] = [
  rebootedOncePerAttempt,
  remainingCordonsAreRecorded,
  noTaskRemains,
  noServerLoggedAnException,
  secretsStaySecret,
];
