import type { EngineNode } from '../../../clients/docker/engine-answers.ts';
import { isManager, nameOf } from './node-at.ts';

const isReachable = ({ ManagerStatus }: EngineNode): boolean => ManagerStatus?.Reachability === 'reachable';

/** Why a manager may not be taken out: a swarm without the majority of its managers can be asked nothing. One or two have none to spare. */
export function quorumProblem(nodes: readonly EngineNode[], node: EngineNode): string | undefined {
  const managers = nodes.filter(isManager);
  if (!isManager(node) || managers.length < 3) return undefined;
  const others = managers.filter(other => other.ID !== node.ID && isReachable(other)).length;
  const needed = Math.floor(managers.length / 2) + 1;
  return others >= needed
    ? undefined
    : `without ${nameOf(node)} only ${others} of ${managers.length} swarm managers are available, but ${needed} are needed`;
}
