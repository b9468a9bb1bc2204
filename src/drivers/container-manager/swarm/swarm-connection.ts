import type { Address } from '../../../domain/addresses/address.ts';
import { sortAddresses } from '../../../domain/addresses/address.ts';
import type { DriverMemory } from '../../../domain/driver-record.ts';
import type { DockerClient } from '../../../integrations/docker/docker-client.ts';
import type { DockerInfo, SwarmNode, SwarmNodeSpec } from '../../../integrations/docker/docker-schemas.ts';
import { errorMessage } from '../../../lib/errors.ts';
import type { ConnectionCheck, HostRef } from '../../command-plan.ts';
import type { ContainerManager, DrainReport, NodeReport } from '../container-manager.ts';
import { isCordonedByOther, setIfChanged } from '../container-manager.ts';
import {
  cordonedByOtherSpec,
  cordonSpec,
  drainSpec,
  getCordonOwner,
  isActive,
  isCordonedByHostler,
  releaseSpec,
  remainingTasks,
  staleOwnerSpec,
  toDrainReport,
  uncordonSpec,
} from './availability.ts';
import { swarmJoinPlan, swarmLeavePlan } from './host-plans.ts';
import { checkQuorum, findNodeByAddress, isDown, isManager, isReady, nodeAddress, nodeName } from './swarm-node.ts';

function checkSwarmState(server: string, { Swarm }: DockerInfo): string | undefined {
  if (Swarm.LocalNodeState === 'locked') return `the swarm of ${server} is locked: run docker swarm unlock there`;
  if (Swarm.ControlAvailable) return undefined;
  return `${server} is not a swarm manager: use the URL of a manager, or run docker swarm init there`;
}

/** Plain `http` is not a problem, because the connection may use a tunnel. The option contains a warning. */
async function checkSwarmConnection(engine: DockerClient, optionProblems: readonly string[]): Promise<ConnectionCheck> {
  const [{ Version }, info] = await Promise.all([engine.version(), engine.info()]);
  const problem = checkSwarmState(engine.displayName, info);
  if (problem !== undefined) return { version: Version, problems: [...optionProblems, problem] };
  // Fails if the managers have no leader.
  await engine.workerToken();
  return { version: Version, problems: optionProblems };
}

// The Docker API cannot find a node by address, so the node ID is cached. It is used only if that node has the address
// and is not down.

async function findNode(
  engine: DockerClient,
  address: Address,
  cachedId: string | undefined,
): Promise<SwarmNode | undefined> {
  const cached = cachedId === undefined ? undefined : await engine.getNode(cachedId);
  if (cached !== undefined && nodeAddress(cached) === address && !isDown(cached)) return cached;
  return findNodeByAddress(await engine.listNodes(), address)?.node;
}

/** Status updates also change the version of a node, so conflicts are common but short. */
const MAX_CONFLICT_RETRIES = 10;

interface SwarmContext {
  readonly engine: DockerClient;
  readonly memory: DriverMemory;
}

const unknownNodeError = (engine: DockerClient, address: Address) =>
  new Error(`${address} is not a node of the swarm of ${engine.displayName}`);

async function findNodeOrThrow({ engine, memory }: SwarmContext, address: Address): Promise<SwarmNode> {
  const node = await findNode(engine, address, await memory.get(address));
  if (node === undefined) throw unknownNodeError(engine, address);
  return node;
}

/** Returns the node as it was before the change. */
async function updateNode(
  context: SwarmContext,
  address: Address,
  toSpec: (node: SwarmNode) => SwarmNodeSpec | undefined,
): Promise<SwarmNode> {
  for (let attempt = 0; attempt < MAX_CONFLICT_RETRIES; attempt++) {
    const node = await findNodeOrThrow(context, address);
    const spec = toSpec(node);
    if (spec === undefined || (await context.engine.updateNode(node, spec)) === 'updated') return node;
  }
  throw new Error(`the swarm node ${address} could not be updated: other clients keep changing it`);
}

async function register(context: SwarmContext, { address, hostname }: HostRef): Promise<string | undefined> {
  const { engine, memory } = context;
  const nodes = await engine.listNodes();
  const found = findNodeByAddress(nodes, address);
  for (const stale of found?.staleNodes ?? []) await engine.removeNode(stale);
  if (found !== undefined) {
    await setIfChanged(memory, address, found.node.ID);
    if (staleOwnerSpec(found.node) !== undefined) await updateNode(context, address, staleOwnerSpec);
    return undefined;
  }
  const sameName = hostname === '' ? undefined : nodes.find(node => nodeName(node) === hostname);
  const addressHint = sameName && `; the node with this host name has the address ${nodeAddress(sameName) ?? 'none'}`;
  return `no swarm node has the address ${address}${addressHint ?? ''}`;
}

/** A manager is not removed, because only an administrator can decide that; Hostler only removes its cordon. */
async function remove(context: SwarmContext, address: Address): Promise<void> {
  const { engine, memory } = context;
  const found = findNodeByAddress(await engine.listNodes(), address);
  if (found !== undefined && isManager(found.node)) {
    await updateNode(context, address, releaseSpec);
  } else if (found !== undefined) {
    for (const node of [found.node, ...found.staleNodes]) await engine.removeNode(node);
  }
  await memory.delete(address);
}

async function report({ engine, memory }: SwarmContext, address: Address): Promise<NodeReport> {
  const cachedId = await memory.get(address);
  try {
    const node = await findNode(engine, address, cachedId);
    if (node === undefined) return { state: 'unknown' };
    const owner = getCordonOwner(node);
    return {
      state: 'registered',
      name: nodeName(node),
      ready: isReady(node),
      schedulable: isActive(node),
      ...(owner !== undefined && { cordonedBy: owner }),
    };
  } catch (error) {
    return { state: 'unavailable', reason: errorMessage(error) };
  }
}

async function drain(context: SwarmContext, address: Address): Promise<DrainReport> {
  const node = await updateNode(context, address, drainSpec);
  if (isActive(node)) {
    await updateNode(context, address, staleOwnerSpec);
    // An active node can receive new tasks at any time.
    return { state: 'refused', detail: `the node ${nodeName(node)} of the swarm was set to active by someone else` };
  }
  const remaining = remainingTasks(node, await context.engine.listTasks(node));
  if (!isCordonedByHostler(node))
    await updateNode(context, address, current => cordonedByOtherSpec(current, remaining.length > 0));
  return toDrainReport(node, remaining);
}

export function createSwarmManager(context: SwarmContext, optionProblems: readonly string[]): ContainerManager {
  const { engine, memory } = context;
  return {
    checkConnection: () => checkSwarmConnection(engine, optionProblems),
    joinPlan: ({ address }) => swarmJoinPlan(engine, address),
    register: host => register(context, host),
    remove: node => remove(context, node),
    leavePlan: () => swarmLeavePlan(engine),
    report: node => report(context, node),
    async cordon(node, owner) {
      const before = await updateNode(context, node, current => cordonSpec(current, owner));
      return isCordonedByOther(getCordonOwner(before)) ? 'cordoned_by_other' : 'cordoned';
    },
    async uncordon(node, owner) {
      if ((await findNode(engine, node, await memory.get(node))) === undefined) return 'not_owner';
      const before = await updateNode(context, node, current => uncordonSpec(current, owner));
      return isActive(before) || getCordonOwner(before) === owner ? 'uncordoned' : 'not_owner';
    },
    drain: node => drain(context, node),
    async checkDisruption(node) {
      const nodes = await engine.listNodes();
      const found = findNodeByAddress(nodes, node);
      if (found === undefined) throw unknownNodeError(engine, node);
      return checkQuorum(nodes, found.node);
    },
    async controlPlane() {
      const addresses = (await engine.listNodes()).filter(isManager).map(nodeAddress);
      return sortAddresses(new Set(addresses.filter(address => address !== undefined)));
    },
  };
}
