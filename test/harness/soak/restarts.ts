import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedHost } from '../chaos/rules.ts';
import type { Acknowledged } from './acknowledged.ts';
import { Routine } from './routine.ts';
import type { Site } from './site.ts';

const PAUSE_MS = 100;
const LOOK_EVERY_MS = 500;
const OVER_WITHIN_MS = 300_000;
/** One of so many is cancelled, and one of so many is an upgrade. */
const CANCELLED_EVERY = 5;
const UPGRADE_EVERY = 3;
const MOST_UNAVAILABLE_PERCENT = 20;
const POLICY = { max_unavailable: `${MOST_UNAVAILABLE_PERCENT}%`, min_healthy_s: 0 };

/** How many of a ring may be out of service at once. */
export const budgetOf = (hostsPerRing: number): number =>
  Math.max(1, Math.floor((hostsPerRing * MOST_UNAVAILABLE_PERCENT) / 100));

interface Operation {
  readonly id: string;
  readonly status: string;
  readonly problem: string;
  readonly hosts: readonly RecordedHost[];
}

/** How it ended; `undefined`: it did not. */
async function endOf({ people }: Site, id: string, isCancelled: boolean): Promise<Operation | undefined> {
  const deadline = performance.now() + OVER_WITHIN_MS;
  let hasAsked = false;
  while (performance.now() < deadline) {
    const operation = (await people.insist(`operation/${id}`)).body as Operation;
    if (operation.status !== 'in_process') return operation;
    if (isCancelled && !hasAsked && operation.hosts.some(({ phase }) => phase === 'done')) {
      hasAsked = true;
      // 409: it is over by now.
      const answer = await people.askAny(`operation/${id}/cancel`, { method: 'PUT' });
      hasAsked = answer?.status === 200 || answer?.status === 409;
    }
    await delay(LOOK_EVERY_MS);
  }
  return undefined;
}

/** A host that was done was rebooted for it once, as the host itself tells; one that was not, at most once. */
function rebootProblems({ fleet }: Site, { id, hosts }: Operation, isRestart: boolean): readonly string[] {
  return hosts.flatMap(({ address, phase }) => {
    const times = fleet.takenOn(address).filter(({ operation }) => operation === id).length;
    const least = isRestart && phase === 'done' ? 1 : 0;
    return times >= least && times <= 1
      ? []
      : [`${address} is ${phase}, and took on ${times} reboots for ${id}`];
  });
}

/** Operations on one cluster, back to back. */
export const restarts = (site: Site, cluster: string, acknowledged: Acknowledged): Routine =>
  new Routine(`operations on ${cluster}`, PAUSE_MS, async number => {
    const { people } = site;
    const kind = number % UPGRADE_EVERY === UPGRADE_EVERY - 1 ? 'upgrade' : 'restart';
    const isCancelled = number % CANCELLED_EVERY === CANCELLED_EVERY - 1;
    await people.insist(`cluster/${cluster}/${kind}`, { method: 'PUT', body: { policy: POLICY } });
    const [begun] = (await people.insist(`operations?cluster=${cluster}&limit=1`)).body as Operation[];
    if (begun === undefined) return ['it was begun, and is not there'];
    acknowledged.add('operation.started', begun.id);
    const ended = await endOf(site, begun.id, isCancelled);
    if (ended === undefined) return [`${kind} ${begun.id} did not end within ${OVER_WITHIN_MS / 1000} s`];
    acknowledged.add('operation.ended', ended.id);
    const good = isCancelled ? ['finished', 'cancelled'] : ['finished'];
    const undone = ended.hosts.filter(({ phase }) => ended.status === 'finished' && phase !== 'done');
    return [
      ...(good.includes(ended.status) ? [] : [`${kind} ${ended.id} is ${ended.status}: ${ended.problem}`]),
      ...undone.map(({ address, phase }) => `${kind} ${ended.id} has finished, and ${address} is ${phase}`),
      ...rebootProblems(site, ended, kind === 'restart'),
    ];
  });
