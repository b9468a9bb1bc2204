import type { Address } from '../../../domain/addresses/address.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import type { SwarmNode } from '../../../integrations/docker/docker-schemas.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { keepsQuorum } from '../container-manager.ts';

/** A manager can report its own address as a loopback or unspecified address. */
const LOCAL_ADDRESS = /^(127\.|0\.0\.0\.0$|::1?$)/;

const stripPort = (hostAndPort: string): string => hostAndPort.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

export function nodeAddress({ Status, ManagerStatus }: SwarmNode): Address | undefined {
  const reported = parseAddress(Status?.Addr ?? '');
  if (reported !== undefined && !LOCAL_ADDRESS.test(reported)) return reported;
  return parseAddress(stripPort(ManagerStatus?.Addr ?? '')) ?? reported;
}

export const isManager = ({ Spec, ManagerStatus }: SwarmNode): boolean =>
  Spec.Role === 'manager' || (ManagerStatus ?? null) !== null;

export const isReady = ({ Status }: SwarmNode): boolean => Status?.State === 'ready';
export const isDown = ({ Status }: SwarmNode): boolean => Status?.State === 'down';

/** As shown by `docker node ls`. */
export const nodeName = ({ Description, ID }: SwarmNode): string => sanitizeLine(Description?.Hostname || ID);

/** Ready nodes first, down nodes last, then the newest first. */
function byLiveness(a: SwarmNode, b: SwarmNode): number {
  const rank = (node: SwarmNode) => (isReady(node) ? 0 : isDown(node) ? 2 : 1);
  const createdMs = ({ CreatedAt = '' }: SwarmNode) => Date.parse(CreatedAt) || 0;
  return rank(a) - rank(b) || createdMs(b) - createdMs(a);
}

export interface NodeMatch {
  readonly node: SwarmNode;
  /** A host becomes a new node each time it joins. Its earlier nodes remain with the state down. */
  readonly staleNodes: readonly SwarmNode[];
}

export function findNodeByAddress(nodes: readonly SwarmNode[], address: Address): NodeMatch | undefined {
  const [node, ...others] = nodes.filter(candidate => nodeAddress(candidate) === address).toSorted(byLiveness);
  if (node === undefined) return undefined;
  // For example, hosts behind one NAT router.
  const conflicting = others.find(other => !isDown(other) && nodeName(other) !== nodeName(node));
  if (conflicting !== undefined)
    throw new Error(
      `the swarm nodes ${nodeName(node)} and ${nodeName(conflicting)} both have the address ${address}; cannot determine which one is this host`,
    );
  const isStale = (other: SwarmNode) => isDown(other) && !isManager(other) && nodeName(other) === nodeName(node);
  return { node, staleNodes: others.filter(isStale) };
}

const isReachable = ({ ManagerStatus }: SwarmNode): boolean => ManagerStatus?.Reachability === 'reachable';

/** Without a majority of its managers a swarm accepts no requests. One or two managers have none to keep. */
export function checkQuorum(nodes: readonly SwarmNode[], node: SwarmNode): string | undefined {
  const managers = nodes.filter(isManager);
  const others = managers.filter(other => other.ID !== node.ID && isReachable(other)).length;
  if (!isManager(node) || keepsQuorum(managers.length, others)) return undefined;
  const needed = Math.floor(managers.length / 2) + 1;
  return `without ${nodeName(node)} only ${others} of ${managers.length} swarm managers are available, but ${needed} are needed`;
}
