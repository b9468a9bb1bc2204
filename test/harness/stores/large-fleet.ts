// Fills a store with hosts of all kinds and changes their statuses, for tests of pages with many hosts.

import { setTimeout as delay } from 'node:timers/promises';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { toOutboxEntry } from '../../../src/domain/events/domain-event.ts';
import { hostStatusEvent } from '../../../src/domain/events/status-events.ts';
import { newHost } from '../../../src/domain/hosts/host.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { formatTimestamp } from '../../../src/domain/timestamp.ts';
import type { HostStatus } from '../../../src/domain/vocabulary.ts';
import type { Store } from '../../../src/store/store.ts';

const CLUSTERS = ['web', 'compute', 'edge', 'storage', 'build', 'cache', 'lab', 'batch'];
const SYSTEMS = ['debian', 'ubuntu', 'fedora', 'rocky', 'coreos'];
const STATUSES: readonly HostStatus[] = ['failed', 'unreachable', 'disassociated', 'investigating'];
const BATCH_SIZE = 1000;

export const hostAddress = (index: number): Address =>
  `127.${Math.floor(index / 62_500) + 1}.${Math.floor(index / 250) % 250}.${(index % 250) + 1}` as Address;

const clusterName = (index: number): string => CLUSTERS[index % CLUSTERS.length] ?? '';

/** Nine of ten hosts are active. */
const hostStatus = (index: number): HostStatus =>
  index % 10 === 7 ? (STATUSES[Math.floor(index / 10) % STATUSES.length] ?? 'active') : 'active';

export const createHost = (index: number) => {
  const status = hostStatus(index);
  return {
    ...newHost(hostAddress(index), {
      enrolment: `e${index}`,
      cluster: status === 'disassociated' ? null : toRecordName(clusterName(index)),
    }),
    ...{ status, reason: status === 'failed' ? 'its key was refused' : '' },
    hostname: `${clusterName(index)}-${String((index * 7919) % 100_000).padStart(5, '0')}.example.net`,
    os: SYSTEMS[index % SYSTEMS.length] ?? '',
    ...{ cpus: 8, memoryKib: 32_768_000, spaceKib: 2 ** 30, lastCheck: '2026-11-15T15:48:18.710454' },
  };
};

export async function insertHosts(store: Store, count: number): Promise<void> {
  await store.transaction(async records => {
    for (const name of CLUSTERS.toSorted())
      await records.clusters.insertOrLock({
        ...{ name: toRecordName(name), network: toRecordName('default'), containerManager: null },
        revision: 'r',
      });
  });
  for (let from = 0; from < count; from += BATCH_SIZE)
    await store.transaction(async records => {
      for (let index = from; index < Math.min(count, from + BATCH_SIZE); index += 1) {
        await records.hosts.insertOrLock(createHost(index));
        const labels = { zone: `zone-${index % 6}`, rack: `r${index % 40}` };
        await records.hostLabels.replace(hostAddress(index), labels);
      }
    });
}

/** Changes the status and emits its event as the engine does. */
export const changeStatus = (store: Store, index: number, to: HostStatus): Promise<void> =>
  store.transaction(async records => {
    const host = await records.hosts.get(hostAddress(index));
    if (host === undefined || host.status === to) return;
    const reason = to === 'active' ? '' : 'it does not answer';
    await records.hosts.setStatus([host.address], to, reason);
    const entry = toOutboxEntry(hostStatusEvent(host, to, { reason }), LOCAL_ACTOR, formatTimestamp(Date.now()));
    await records.outbox.add([entry]);
  });

interface Changes {
  readonly hosts: number;
  readonly perSecond: number;
  readonly signal: AbortSignal;
}

/**
 * Makes hosts unreachable and active at a constant rate until the signal aborts. Every fourth change affects
 * one of the first 20 hosts, which are visible on the page.
 */
export async function changeStatuses(store: Store, { hosts, perSecond, signal }: Changes): Promise<number> {
  const startedAt = performance.now();
  let changed = 0;
  while (perSecond > 0 && !signal.aborted) {
    // A prime number spreads the changes over the list.
    const index = changed % 4 === 0 ? (changed / 4) % 20 : (changed * 7919) % hosts;
    const { status } = (await store.reads.hosts.get(hostAddress(index))) ?? {};
    if (status === 'active' || status === 'unreachable')
      await changeStatus(store, index, status === 'active' ? 'unreachable' : 'active');
    changed += 1;
    await delay(Math.max(0, startedAt + (changed * 1000) / perSecond - performance.now()));
  }
  return changed;
}
