import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import type { Labels } from '../../domain/hosts/host.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import { unknownHost } from './read-hosts.ts';

export async function readLabels({ store }: Ports, address: Address): Promise<Labels | AppError> {
  const { hosts, hostLabels } = store.reads;
  const host = await hosts.get(address);
  return host === undefined ? unknownHost(address) : hostLabels.of(address);
}

/** Gives a host these labels and no others. */
export async function replaceLabels(
  ports: Ports,
  actor: Actor,
  { address, labels }: { readonly address: Address; readonly labels: Labels },
): Promise<Labels | AppError> {
  return change(ports, actor, async ({ records, tell }) => {
    const host = await records.hosts.lock(address);
    if (host === undefined) return unknownHost(address);
    const { hostLabels } = records;
    if (isDeepStrictEqual(await hostLabels.of(address), labels)) return labels;
    await hostLabels.replace(address, labels);
    const { cluster } = host;
    await tell({ type: 'host.labels_changed', subject: address, host: address, cluster, data: { labels } });
    return hostLabels.of(address);
  });
}
