// What must hold when everything has come to rest.

import type { Address } from '../../../../src/domain/addresses/address.ts';
import { isOurMark } from '../../../../src/domain/rolling/cordon-mark.ts';
import { toldIn } from '../../../harness/events/told.ts';
import { KEY } from '../../../harness/simulation/simulation.ts';
import type { Cast } from './cast.ts';
import type { PlannedRow } from './state.ts';
import { isOpen } from './state.ts';

type EndRule = (cast: Cast) => string | undefined | Promise<string | undefined>;

/** The attempts in which a host came so far that it may have been rebooted. */
function armedAttempts(rows: readonly PlannedRow[], address: Address): number {
  const armed = new Set<string>();
  for (const { operation, host, phases_json } of rows) {
    if (host !== address) continue;
    const phases: readonly { phase: string; attempt: number }[] = JSON.parse(phases_json);
    for (const { phase, attempt } of phases) if (phase === 'armed') armed.add(`${operation} ${attempt}`);
  }
  return armed.size;
}

export const bootedOnce: EndRule = ({ simulation, watcher }) => {
  for (const host of simulation.fleet.hosts) {
    const asked = host.boots.filter(({ cause }) => cause === 'asked').length;
    const attempts = armedAttempts(watcher.state.planned, host.address);
    if (asked > attempts) return `${host.address} was rebooted ${asked} times in ${attempts} attempts`;
  }
  return undefined;
};

const nobodyIsLeftCordoned: EndRule = ({ watcher: { state } }) => {
  for (const [node, mark] of state.nodes) {
    if (mark === undefined || !isOurMark(mark)) continue;
    const [, operation] = mark.split('/');
    const row = state.planned.find(each => each.operation === operation && each.host === node);
    if (row?.is_cordoned !== 1)
      return `the node ${node} is left cordoned by ${mark}, and its record does not say so`;
  }
  return undefined;
};

const nothingIsLeftToDo: EndRule = ({ watcher: { state } }) => {
  if (state.operations.some(isOpen)) return undefined;
  const left = state.work.find(({ kind }) => kind === 'stage' || kind === 'roll');
  const row = state.planned.find(
    ({ phase }) => !['done', 'failed', 'skipped', 'pending', 'staging'].includes(phase),
  );
  if (row) return `every operation is over, and ${row.host} is ${row.phase}`;
  return left && `every operation is over, and ${left.kind} is left to be done on ${left.host}`;
};

const nothingBroke: EndRule = ({ simulation }) => {
  const broken = simulation.servers
    .flatMap(({ complaints, log }) => (complaints.some(one => /broke/.test(one)) ? log : []))
    .find(line => /broke/.test(line));
  return broken && `a server says: ${broken}`;
};

const secretsAreKept: EndRule = async ({ simulation, watcher }) => {
  const secret = KEY.reveal();
  const said = simulation.servers.flatMap(({ log }) => log);
  const told = (await toldIn(simulation.store)).map(item => JSON.stringify(item));
  for (const { id } of watcher.state.operations)
    for (const { host } of (await simulation.store.reads.operationHosts.list(id)).items)
      told.push(JSON.stringify(await simulation.store.reads.operationOutput.of(id, host)));
  return [...said, ...told].some(line => line.includes(secret)) ? 'a secret was told' : undefined;
};

export const END_RULES: readonly EndRule[] = [
  bootedOnce,
  nobodyIsLeftCordoned,
  nothingIsLeftToDo,
  nothingBroke,
  secretsAreKept,
];
