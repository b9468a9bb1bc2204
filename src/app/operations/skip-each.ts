import type { Address } from '../../domain/addresses/address.ts';
import { partOf } from '../../domain/rolling/host-phase.ts';
import type { ClusterOperation } from '../../domain/rolling/operation.ts';
import type { PlannedHost } from '../../domain/rolling/planned-host.ts';
import { skipped } from '../../domain/rolling/planned-host.ts';
import type { HostPart, SkipReason } from '../../domain/vocabulary.ts';
import type { Change } from '../change.ts';
import { tellHosts } from './tell-hosts.ts';

/**
 * One that is in flight is put in order by its work; one that has come to its end has nothing left to be skipped. A failure is taken back by
 * people only, who mean this host.
 */
const mayBeSkipped = ({ phase }: PlannedHost, reason: SkipReason): boolean =>
  (phase === 'failed' && reason === 'by_hand') || ['waiting', 'preparing'].includes(partOf(phase));

const addressesIn = (planned: readonly PlannedHost[], part: HostPart): readonly Address[] =>
  planned.filter(({ phase }) => partOf(phase) === part).map(({ host }) => host);

/** Takes hosts out of an operation that is locked: at once, or, where they are in flight, as soon as they are in order. */
export async function skipEach(
  under: Change,
  operation: ClusterOperation,
  hosts: readonly PlannedHost[],
  reason: SkipReason,
): Promise<void> {
  const { records, now } = under;
  const { id } = operation;
  const nowMs = await records.nowMs();
  const inFlight = addressesIn(hosts, 'in flight');
  // As turns lock them: the agenda, the work, and what is recorded of the host.
  await records.agenda.hasten(inFlight, nowMs);
  await records.work.hasten(id, inFlight, nowMs);
  await records.work.dropOf(id, addressesIn(hosts, 'preparing'));
  // As they are now: their work may have gone on until a moment ago.
  const planned = await records.operationHosts.lockAll(
    id,
    hosts.map(({ host }) => host),
  );
  const at = now();
  const gone = planned.filter(each => mayBeSkipped(each, reason)).map(each => skipped(each, at, reason));
  await records.operationHosts.updateAll(id, gone);
  await records.operationHosts.setUnwanted(id, addressesIn(planned, 'in flight'), reason);
  await tellHosts(under, operation, gone);
}
