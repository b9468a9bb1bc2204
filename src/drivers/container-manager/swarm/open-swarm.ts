// A swarm, seen through the Engine API of one of its managers. A node is known by the address that its connection comes from, and is
// read anew for each call: there is no copy of the swarm here that could be old.

import type { DockerEngine } from '../../../clients/docker/docker-engine.ts';
import type { EngineNode } from '../../../clients/docker/engine-answers.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { sortAddresses } from '../../../domain/addresses/address.ts';
import type { DriverMemory } from '../../../domain/driver-memory.ts';
import { messageOf } from '../../../lib/errors/message-of.ts';
import type { TaskHost } from '../../host-task.ts';
import type { ContainerManager } from '../container-manager.ts';
import type { DrainReport, NodeReport } from '../node-report.ts';
import { remember } from '../remember.ts';
import { check } from './check.ts';
import type { Move } from './cordon.ts';
import {
  cordonedBy,
  cordonMove,
  giveBackMove,
  hasStaleMark,
  isActive,
  isCordonedByUs,
  uncordonMove,
} from './cordon.ts';
import { beginMove, drainReport, foreignMove, tasksLeft, whyNotDrained } from './drain.ts';
import { findNode } from './find-node.ts';
import { joinTask, leaveTask } from './host-tasks.ts';
import { addressOf, isManager, isReady, nameOf, nodeAt } from './node-at.ts';
import { quorumProblem } from './quorum.ts';

/** Also how a node is doing is a change of it: nobody is in the way for long. */
const MOST_TRIES = 10;

/** Where the swarm is asked, and what is remembered of its nodes. */
interface Place {
  readonly engine: DockerEngine;
  readonly memory: DriverMemory;
}

const unknownNode = (engine: DockerEngine, address: Address) =>
  new Error(`${address} is not a node of the swarm of ${engine.name}`);

async function knownNode({ engine, memory }: Place, address: Address): Promise<EngineNode> {
  const node = await findNode(engine, address, await memory.get(address));
  if (node === undefined) throw unknownNode(engine, address);
  return node;
}

/** Looks, decides and writes; from the beginning when somebody was faster. */
async function move<Answer>(
  place: Place,
  address: Address,
  decide: (node: EngineNode) => Move<Answer>,
): Promise<Answer> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const node = await knownNode(place, address);
    const { spec, answer } = decide(node);
    if (spec === undefined || (await place.engine.updateNode(node, spec)) === 'updated') return answer;
  }
  throw new Error(`the swarm node ${address} could not be updated: other clients keep changing it`);
}

const tidyMove = (node: EngineNode): Move<undefined> =>
  hasStaleMark(node) ? giveBackMove(node) : { answer: undefined };

async function register(place: Place, { address, hostname }: TaskHost): Promise<string | undefined> {
  const { engine, memory } = place;
  const nodes = await engine.nodes();
  const found = nodeAt(nodes, address);
  for (const ghost of found?.ghosts ?? []) await engine.removeNode(ghost);
  if (found !== undefined) {
    await remember(memory, address, found.node.ID);
    if (hasStaleMark(found.node)) await move(place, address, tidyMove);
    return undefined;
  }
  const namesake = hostname === '' ? undefined : nodes.find(node => nameOf(node) === hostname);
  const elsewhere =
    namesake && `; the node with this host name has the address ${addressOf(namesake) ?? 'none'}`;
  return `no swarm node has the address ${address}${elsewhere ?? ''}`;
}

/** A manager stays one: whether the swarm can do without it is for people to say. Only our cordon is taken off it. */
async function remove(place: Place, address: Address): Promise<void> {
  const { engine, memory } = place;
  const found = nodeAt(await engine.nodes(), address);
  if (found !== undefined && isManager(found.node)) {
    await move(place, address, giveBackMove);
    return memory.delete(address);
  }
  for (const node of found ? [found.node, ...found.ghosts] : []) await engine.removeNode(node);
  await memory.delete(address);
}

async function report({ engine, memory }: Place, address: Address): Promise<NodeReport> {
  const hint = await memory.get(address);
  try {
    const node = await findNode(engine, address, hint);
    if (node === undefined) return { state: 'unknown' };
    const mark = cordonedBy(node);
    return {
      state: 'registered',
      name: nameOf(node),
      ready: isReady(node),
      schedulable: isActive(node),
      ...(mark !== undefined && { cordonedBy: mark }),
    };
  } catch (error) {
    return { state: 'unavailable', reason: messageOf(error) };
  }
}

async function drain(place: Place, address: Address): Promise<DrainReport> {
  const node = await move(place, address, beginMove);
  const refused = whyNotDrained(node);
  if (refused !== undefined) {
    await move(place, address, tidyMove);
    return refused;
  }
  const left = tasksLeft(node, await place.engine.tasksOf(node));
  if (!isCordonedByUs(node)) await move(place, address, current => foreignMove(current, left.length > 0));
  return drainReport(node, left);
}

/** `optionProblems` is what the options alone tell. */
export function openSwarm(place: Place, optionProblems: readonly string[]): ContainerManager {
  const { engine, memory } = place;
  return {
    check: () => check(engine, optionProblems),
    joinTask: ({ address }) => joinTask(engine, address),
    register: host => register(place, host),
    remove: node => remove(place, node),
    leaveTask: () => leaveTask(engine),
    report: node => report(place, node),
    cordon: (node, mark) => move(place, node, current => cordonMove(current, mark)),
    async uncordon(node, mark) {
      // One that is gone is nobody's.
      if ((await findNode(engine, node, await memory.get(node))) === undefined) return 'not_ours';
      return move(place, node, current => uncordonMove(current, mark));
    },
    drain: node => drain(place, node),
    async disruptionProblem(node) {
      const nodes = await engine.nodes();
      const found = nodeAt(nodes, node);
      if (found === undefined) throw unknownNode(engine, node);
      return quorumProblem(nodes, found.node);
    },
    async controlPlane() {
      const addresses = (await engine.nodes()).filter(isManager).map(addressOf);
      return sortAddresses(new Set(addresses.filter(address => address !== undefined)));
    },
  };
}
