import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import { RetryTransaction } from '../../domain/errors.ts';
import type { Labels, Maintenance } from '../../domain/hosts/host.ts';
import { toMaintenance } from '../../domain/hosts/host.ts';
import { changeMembership } from '../clusters/membership.ts';
import { lockHostWithOperation, resetForMaintenance, skipLeavingHosts } from '../operations/operation-hosts.ts';
import type { Ports } from '../ports.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { hostNotFound } from './read-hosts.ts';

/** Leave tasks remain and remove the host from the network and the container manager. */
export async function removeHost(ports: Ports, actor: Actor, address: Address): Promise<undefined | AppError> {
  return runUnitOfWork(ports, actor, async unit => {
    const { records, emit } = unit;
    // Lock order: cluster, operation, host. The cluster is read without a lock first and may differ afterwards.
    const unlockedHost = await records.hosts.get(address);
    const cluster = unlockedHost?.cluster ? await records.clusters.lock(unlockedHost.cluster) : undefined;
    const operation = cluster && (await records.operations.lockOpen(cluster.name));
    const host = await records.hosts.lock(address);
    if (host === undefined) return hostNotFound(address);
    if (host.cluster !== (cluster?.name ?? null)) throw new RetryTransaction();
    const error = await skipLeavingHosts(unit, operation, [host]);
    if (error) return error;
    await records.tasks.removeExceptLeave(address);
    if (cluster) await changeMembership(unit, cluster, { removed: [host] });
    await records.hosts.remove(address);
    if ((await records.tasks.getEarliestDue(address)).dueAt === null)
      await records.hostQueue.removeUnlessClaimed(address);
    await emit({ type: 'host.removed', subject: address, host: address, cluster: host.cluster });
    return undefined;
  });
}

export async function readMaintenance({ store }: Ports, address: Address): Promise<Maintenance | AppError> {
  const host = await store.reads.hosts.get(address);
  return host === undefined ? hostNotFound(address) : toMaintenance(host);
}

export async function setMaintenance(
  ports: Ports,
  actor: Actor,
  { address, on, reason }: { readonly address: Address } & Maintenance,
): Promise<Maintenance | AppError> {
  return runUnitOfWork(ports, actor, async unit => {
    const { records, emit, requestReconcile, now } = unit;
    const { host, operation } = await lockHostWithOperation(records, address);
    if (host === undefined) return hostNotFound(address);
    const maintenance = on ? reason : null;
    const desired = toMaintenance({ maintenance });
    if (host.maintenance === maintenance) return desired;
    const error = on ? await resetForMaintenance(unit, operation, host) : undefined;
    if (error) return error;
    await records.hosts.setMaintenance(address, maintenance, now());
    const { cluster } = host;
    if (cluster !== null) requestReconcile(cluster);
    await emit({ type: 'host.maintenance_changed', subject: address, host: address, cluster, data: desired });
    return desired;
  });
}

export async function readLabels({ store }: Ports, address: Address): Promise<Labels | AppError> {
  const { hosts, hostLabels } = store.reads;
  const host = await hosts.get(address);
  return host === undefined ? hostNotFound(address) : hostLabels.get(address);
}

export async function replaceLabels(
  ports: Ports,
  actor: Actor,
  { address, labels }: { readonly address: Address; readonly labels: Labels },
): Promise<Labels | AppError> {
  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const host = await records.hosts.lock(address);
    if (host === undefined) return hostNotFound(address);
    const { hostLabels } = records;
    if (isDeepStrictEqual(await hostLabels.get(address), labels)) return labels;
    await hostLabels.replace(address, labels);
    const { cluster } = host;
    await emit({ type: 'host.labels_changed', subject: address, host: address, cluster, data: { labels } });
    return hostLabels.get(address);
  });
}
