import type { Actor } from '../../domain/actor.ts';
import type { Address } from '../../domain/address.ts';
import { Refusal } from '../../domain/errors.ts';
import { changeMembership } from '../clusters/change-membership.ts';
import type { Ports } from '../ports.ts';
import { tell } from '../tell.ts';
import { unknownHost } from './read-hosts.ts';

/** Removes a host with its membership, its credentials and the work that was to be done on it. */
export async function removeHost(
  { store, clock }: Ports,
  actor: Actor,
  address: Address,
): Promise<undefined | Refusal> {
  return store.transaction(async records => {
    const seen = await records.hosts.get(address);
    const cluster = seen?.cluster ? await records.clusters.lock(seen.cluster) : undefined;
    const host = await records.hosts.lock(address);
    if (host === undefined) return unknownHost(address);
    if (host.cluster !== (cluster?.name ?? null)) {
      return new Refusal('conflict', `${address} is changing its cluster at this moment; try again`);
    }
    await records.hosts.remove(address);
    if (cluster) await changeMembership({ records, clock, actor }, cluster, { joining: [], leaving: [host] });
    await tell(records, clock, actor, [
      { type: 'host.removed', subject: address, host: address, cluster: host.cluster },
    ]);
    return undefined;
  });
}
