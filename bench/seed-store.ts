// Fills a store with hosts without the API.

import type { Address } from '../src/domain/addresses/address.ts';
import { newHost } from '../src/domain/hosts/host.ts';
import { toRecordName } from '../src/domain/record-name.ts';
import type { Store } from '../src/store/store.ts';

const CLUSTERS = 100;

export const toAddress = (index: number): Address =>
  `127.${Math.floor(index / 62_500)}.${Math.floor(index / 250) % 250}.${(index % 250) + 1}` as Address;
export const toClusterName = (index: number): string => `cluster-${index % CLUSTERS}`;
export const clusterNames: readonly string[] = Array.from({ length: CLUSTERS }, (_, index) => toClusterName(index));

const defaultNetwork = {
  name: toRecordName('default'),
  type: 'none',
  options: {},
  sealedOptions: {},
  revision: 'r',
};

/** Adds the hosts `from` to `to`, distributed over these clusters. Creates missing clusters. */
export async function addHosts(store: Store, from: number, to: number, clusters: readonly string[]): Promise<void> {
  await store.transaction(async records => {
    await records.driverRecords.insertOrLock('network', defaultNetwork);
    for (const name of clusters.toSorted()) {
      await records.clusters.insertOrLock({
        name: toRecordName(name),
        network: defaultNetwork.name,
        containerManager: null,
        revision: 'r',
      });
    }
    for (let index = from; index < to; index += 1) {
      const cluster = toRecordName(clusters[index % clusters.length] ?? '');
      await records.hosts.insertOrLock({
        ...newHost(toAddress(index), { enrolment: 'e', cluster }),
        status: 'active',
        os: 'debian',
        cpus: 8,
        memoryKib: 32_768_000,
        spaceKib: 2 ** 30,
        lastCheck: '2026-11-15T15:48:18.710454',
      });
    }
  });
}
