// The Engine cannot be asked for a node by its address, only for all. So the ID of each is remembered when it is registered, as a hint:
// it is believed while the node with that ID has the address and is not down.

import type { DockerEngine } from '../../../clients/docker/docker-engine.ts';
import type { EngineNode } from '../../../clients/docker/engine-answers.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { addressOf, isDown, nodeAt } from './node-at.ts';

export async function findNode(
  engine: DockerEngine,
  address: Address,
  hint: string | undefined,
): Promise<EngineNode | undefined> {
  const hinted = hint === undefined ? undefined : await engine.node(hint);
  if (hinted !== undefined && addressOf(hinted) === address && !isDown(hinted)) return hinted;
  return nodeAt(await engine.nodes(), address)?.node;
}
