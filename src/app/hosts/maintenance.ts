import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import type { Maintenance } from '../../domain/hosts/host.ts';
import { toMaintenance } from '../../domain/hosts/host.ts';
import { change } from '../change.ts';
import { lockHostWithOperation, setAside } from '../operations/in-operation.ts';
import type { Ports } from '../ports.ts';
import { unknownHost } from './read-hosts.ts';

export async function readMaintenance({ store }: Ports, address: Address): Promise<Maintenance | AppError> {
  const host = await store.reads.hosts.get(address);
  return host === undefined ? unknownHost(address) : toMaintenance(host);
}

/** Takes a host out of service for the reason given, which may be empty, or back. */
export async function setMaintenance(
  ports: Ports,
  actor: Actor,
  { address, on, reason }: { readonly address: Address } & Maintenance,
): Promise<Maintenance | AppError> {
  return change(ports, actor, async under => {
    const { records, tell, news, now } = under;
    const { host, operation } = await lockHostWithOperation(records, address);
    if (host === undefined) return unknownHost(address);
    const maintenance = on ? reason : null;
    const wanted = toMaintenance({ maintenance });
    if (host.maintenance === maintenance) return wanted;
    const inFlight = on ? await setAside(under, operation, host) : undefined;
    if (inFlight) return inFlight;
    await records.hosts.setMaintenance(address, maintenance, now());
    const { cluster } = host;
    if (cluster !== null) news(cluster);
    await tell({ type: 'host.maintenance_changed', subject: address, host: address, cluster, data: wanted });
    return wanted;
  });
}
