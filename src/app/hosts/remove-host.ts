import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import { RetryTransaction } from '../../domain/errors.ts';
import { change } from '../change.ts';
import { changeMembership } from '../clusters/change-membership.ts';
import { leaveOperation } from '../operations/in-operation.ts';
import type { Ports } from '../ports.ts';
import { unknownHost } from './read-hosts.ts';

/** Removes a host with its membership and its credentials. What is left to be done is to take it out of what it was in. */
export async function removeHost(
  ports: Ports,
  actor: Actor,
  address: Address,
): Promise<undefined | AppError> {
  return change(ports, actor, async under => {
    const { records, tell } = under;
    // Its cluster is locked before it, so that must be known first; it may have changed when both are locked.
    const seen = await records.hosts.get(address);
    const cluster = seen?.cluster ? await records.clusters.lock(seen.cluster) : undefined;
    const operation = cluster && (await records.operations.lockOpenIn(cluster.name));
    const host = await records.hosts.lock(address);
    if (host === undefined) return unknownHost(address);
    if (host.cluster !== (cluster?.name ?? null)) throw new RetryTransaction();
    const inFlight = await leaveOperation(under, operation, [host]);
    if (inFlight) return inFlight;
    await records.work.dropBringingIn(address);
    if (cluster) await changeMembership(under, cluster, { removed: [host] });
    await records.hosts.remove(address);
    if ((await records.work.earliestDue(address)) === null) await records.agenda.removeUnlessOwned(address);
    await tell({ type: 'host.removed', subject: address, host: address, cluster: host.cluster });
    return undefined;
  });
}
