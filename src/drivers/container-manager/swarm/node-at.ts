import type { EngineNode } from '../../../clients/docker/engine-answers.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import { harmless } from '../../../lib/text/harmless.ts';

/** Where a manager sees itself: from within, or nowhere in particular. */
const FROM_WITHIN = /^(127\.|0\.0\.0\.0$|::1?$)/;

const hostOf = (hostAndPort: string): string => hostAndPort.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

/** The address of the host that a node is. */
export function addressOf({ Status, ManagerStatus }: EngineNode): Address | undefined {
  const seen = parseAddress(Status?.Addr ?? '');
  if (seen !== undefined && !FROM_WITHIN.test(seen)) return seen;
  return parseAddress(hostOf(ManagerStatus?.Addr ?? '')) ?? seen;
}

export const isManager = ({ Spec, ManagerStatus }: EngineNode): boolean =>
  Spec.Role === 'manager' || (ManagerStatus ?? null) !== null;

export const isReady = ({ Status }: EngineNode): boolean => Status?.State === 'ready';
export const isDown = ({ Status }: EngineNode): boolean => Status?.State === 'down';

/** As people see it in `docker node ls`. */
export const nameOf = ({ Description, ID }: EngineNode): string => harmless(Description?.Hostname || ID);

/** The one that is ready first, those that are down last, else the newest first. */
function byLife(a: EngineNode, b: EngineNode): number {
  const rank = (node: EngineNode) => (isReady(node) ? 0 : isDown(node) ? 2 : 1);
  const createdMs = ({ CreatedAt = '' }: EngineNode) => Date.parse(CreatedAt) || 0;
  return rank(a) - rank(b) || createdMs(b) - createdMs(a);
}

export interface NodeAt {
  readonly node: EngineNode;
  /** What the same host has left: with each time it joins it is a new node, and the old one stays as one that is down. */
  readonly ghosts: readonly EngineNode[];
}

/** The node that the host with this address is. */
export function nodeAt(nodes: readonly EngineNode[], address: Address): NodeAt | undefined {
  const [node, ...others] = nodes.filter(each => addressOf(each) === address).toSorted(byLife);
  if (node === undefined) return undefined;
  // As hosts do that are behind one router.
  const stranger = others.find(other => !isDown(other) && nameOf(other) !== nameOf(node));
  if (stranger !== undefined)
    throw new Error(
      `the swarm nodes ${nameOf(node)} and ${nameOf(stranger)} both have the address ${address}; cannot determine which one is this host`,
    );
  const isGhost = (other: EngineNode) => isDown(other) && !isManager(other) && nameOf(other) === nameOf(node);
  return { node, ghosts: others.filter(isGhost) };
}
