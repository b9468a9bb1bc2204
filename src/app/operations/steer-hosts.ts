// What people may ask of hosts of an operation: to be tried again, or to be left alone.

import type { Actor } from '../../domain/accounts/actor.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { Refusal } from '../../domain/errors.ts';
import { partOf } from '../../domain/rolling/host-phase.ts';
import type { ClusterOperation } from '../../domain/rolling/operation.ts';
import { isOpen, isPausedByHand } from '../../domain/rolling/operation.ts';
import type { PlannedHost } from '../../domain/rolling/planned-host.ts';
import { retried } from '../../domain/rolling/planned-host.ts';
import { someOf } from '../../lib/text/some-of.ts';
import type { Records } from '../../store/records.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import { leaveOut } from './leave-out.ts';
import { skipEach } from './skip-each.ts';
import { setStanding, steer } from './steer-operation.ts';
import { tellHosts } from './tell-hosts.ts';

interface OfHosts {
  readonly id: string;
  /** `undefined`: all that have failed. */
  readonly hosts: readonly Address[] | undefined;
}

/** The hosts that are meant; those that are not in the plan apart. */
async function meant(
  records: Records,
  id: string,
  hosts: OfHosts['hosts'],
): Promise<{ planned: readonly PlannedHost[]; others: readonly Address[] }> {
  if (hosts === undefined)
    return { planned: await records.operationHosts.inPhases(id, ['failed']), others: [] };
  const named = [...new Set(hosts)];
  const planned = await records.operationHosts.among(id, named);
  const isPlanned = new Set(planned.map(({ host }) => host));
  return { planned, others: named.filter(host => !isPlanned.has(host)) };
}

const notPossible = (what: string, hosts: readonly { readonly host: Address }[]) =>
  new Refusal('not_possible_now', `${what}: ${someOf(hosts.map(({ host }) => host))}`);

/**
 * What was forgiven and is not failed any more is no leave to fail once more. Whoever has an operation go on that its failures had stopped
 * has seen those that are left. One that was restored does not go on by this: they are seen when it is resumed.
 */
async function forgivenNow(records: Records, operation: ClusterOperation): Promise<number> {
  const { id, state, pause, forgivenFailures } = operation;
  const { failed = 0 } = await records.operationHosts.counts(id);
  const isSeen = state === 'failed' || pause === 'failures';
  return isSeen ? failed : Math.min(forgivenFailures, failed);
}

/** Has hosts that failed tried again, each as another attempt. An operation that had failed runs again. */
export async function retryHosts(ports: Ports, actor: Actor, { id, hosts }: OfHosts) {
  return change(ports, actor, async under => {
    const { records, now } = under;
    const steered = await steer(records, id, 'retry');
    if (steered instanceof Refusal) return steered;
    const { operation } = steered;
    const other = isOpen(operation) ? undefined : await records.operations.openIn(operation.cluster);
    if (other)
      return new Refusal(
        'operation_running',
        `${other.kind} ${other.id} runs on ${operation.cluster} by now`,
      );
    const { planned, others } = await meant(records, id, hosts);
    if (others.length > 0) return new Refusal('not_found', `not in operation ${id}: ${someOf(others)}`);
    const sound = planned.filter(({ phase }) => phase !== 'failed');
    if (sound.length > 0) return notPossible('these have not failed', sound);
    const members = new Map((await records.hosts.members(operation.cluster)).map(one => [one.address, one]));
    const isThere = ({ host, enrolment }: PlannedHost) => members.get(host)?.enrolment === enrolment;
    const gone = planned.filter(host => !isThere(host));
    if (hosts !== undefined && gone.length > 0) return notPossible('these have left the cluster', gone);
    // Some may have left while it was over.
    const left = await records.operationHosts.inPhases(id, ['pending', 'staging', 'failed']);
    await leaveOut(
      under,
      operation,
      left.filter(host => !isThere(host)),
    );
    const at = now();
    const again = planned.filter(isThere).map(one => retried(one, at));
    await records.operationHosts.updateAll(id, again);
    await tellHosts(under, operation, again);
    const forgivenFailures = await forgivenNow(records, operation);
    const standing = { ...goingOn(operation), waitingSinceMs: null, forgivenFailures };
    return setStanding(under, operation, { ...operation, ...standing });
  });
}

/** Who has paused it by hand has to resume it by hand. */
const goingOn = ({ state, pause }: ClusterOperation) =>
  state === 'paused' && isPausedByHand({ pause })
    ? ({ state, pause, finishedAt: null } as const)
    : ({ state: 'running', pause: null, problem: '', finishedAt: null } as const);

/** With those that are out of service now: they are not waited for until they are active again. */
async function ignoredWith(
  records: Records,
  { id, ignored }: ClusterOperation,
  hosts: readonly Address[],
): Promise<readonly Address[]> {
  const planned = await records.operationHosts.among(id, hosts);
  const inFlight = planned.filter(({ phase }) => partOf(phase) === 'in flight').map(({ host }) => host);
  const isWell = new Set(await records.hosts.inService(hosts));
  return [...new Set([...ignored, ...inFlight, ...hosts.filter(host => !isWell.has(host))])];
}

/** Leaves hosts alone from now on. What is in flight is put in order first; a member that is in the way is not waited for any more. */
export async function skipHosts(ports: Ports, actor: Actor, { id, hosts }: OfHosts) {
  return change(ports, actor, async under => {
    const { records } = under;
    const steered = await steer(records, id, 'skip');
    if (steered instanceof Refusal) return steered;
    const { operation } = steered;
    const { planned, others } = await meant(records, id, hosts);
    const members = new Set((await records.hosts.members(operation.cluster)).map(one => one.address));
    const strangers = others.filter(host => !members.has(host));
    if (strangers.length > 0)
      return new Refusal('not_found', `neither in operation ${id} nor in its cluster: ${someOf(strangers)}`);
    const done = planned.filter(({ phase }) => phase === 'done');
    if (done.length > 0) return notPossible('these are done', done);
    await skipEach(under, operation, planned, 'by_hand');
    const isPausedForThem = operation.pause === 'budget' || operation.pause === 'failures';
    const resumed = isPausedForThem ? ({ state: 'running', pause: null, problem: '' } as const) : {};
    const ignored = await ignoredWith(records, operation, [...others, ...planned.map(({ host }) => host)]);
    const forgivenFailures = await forgivenNow(records, operation);
    const standing = { ...resumed, ignored, waitingSinceMs: null, forgivenFailures };
    return setStanding(under, operation, { ...operation, ...standing });
  });
}
