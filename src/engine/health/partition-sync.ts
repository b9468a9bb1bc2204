import type { Address } from '../../domain/addresses/address.ts';
import type { Log } from '../../lib/log.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import type { PeerServers } from '../../store/repositories/tasks/servers.ts';
import type { Store } from '../../store/store.ts';
import type { PartitionChange, PartitionDetector } from './partition-detector.ts';

const PARTITION_LOG: Readonly<Record<PartitionChange, string>> = {
  partitioned:
    'most hosts stopped responding at once: assuming that this server is partitioned; host statuses are not changed',
  connected: 'hosts respond again: this server is no longer partitioned',
  outage: 'other hosts kept responding: unresponsive hosts are treated as unreachable',
};

export function logPartition(log: Pick<Log, 'info' | 'warn'>, change: PartitionChange): void {
  if (change === 'partitioned') log.warn(PARTITION_LOG[change]);
  else log.info(PARTITION_LOG[change]);
}

/** Stores the partition state in the row of this server. Other servers see it, and a user can overrule it. */
export class PartitionStateSync {
  readonly #store: Pick<Store, 'transaction'>;
  readonly #detector: PartitionDetector;
  /** The incarnation for which the store says that this server is partitioned. */
  #storedFor: string | undefined;
  isAnotherServerConnected = false;

  constructor(store: Pick<Store, 'transaction'>, detector: PartitionDetector) {
    this.#store = store;
    this.#detector = detector;
  }

  async synchronize(incarnation: string, peers: PeerServers, now: number): Promise<void> {
    this.isAnotherServerConnected = peers.isAnotherServerConnected;
    const isStored = peers.partitionedSince !== null;
    // A user has resumed an operation, which declares the unresponsive hosts down.
    const isOverruled = this.#detector.isPartitioned && !isStored && this.#storedFor === incarnation;
    if (isOverruled) this.#detector.overrule();
    const { isPartitioned } = this.#detector;
    if (isPartitioned === isStored && !isOverruled) return;
    await this.#store.transaction(async records => {
      // Locks operations before the host queue, like reconcile runs. Every operation can pause or resume now.
      await records.operations.scheduleAllReconciles(now);
      if (!isPartitioned) await records.hostQueue.scheduleFailingHostChecks(now);
      await records.servers.setPartitioned(incarnation, isPartitioned ? now : null);
    });
    this.#storedFor = isPartitioned ? incarnation : undefined;
  }
}

/** Returns whether results of corroborating checks are pending. */
export async function scheduleCorroboratingChecks(
  partition: PartitionDetector,
  { hostQueue }: Pick<Repositories, 'hostQueue'>,
  host: Address,
  nowMs: number,
): Promise<boolean> {
  const needed = partition.samplesNeeded(host);
  if (needed === 0) return false;
  if ((await hostQueue.scheduleCorroboratingChecks(host, needed, nowMs)) > 0)
    partition.markCorroboratingChecksScheduled();
  return partition.areCorroboratingChecksPending;
}

export async function classifyUnresponsive(
  partition: PartitionDetector,
  store: Pick<Store, 'transaction'>,
  host: Address,
): Promise<void> {
  const next = partition.nextActionForStep(host);
  if (next === undefined) return;
  const areChecksScheduled =
    next === 'schedule_checks' &&
    (await store.transaction(async records =>
      scheduleCorroboratingChecks(partition, records, host, await records.nowMs()),
    ));
  if (areChecksScheduled) return;
  // A host in flight is not marked down: its missing response remains evidence, and its phase has a deadline.
  if (partition.classify(host) === 'partitioned') partition.applyVerdict(host, 'partitioned');
  else partition.confirmUnresponsive(host);
}
