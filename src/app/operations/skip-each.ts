import type { Address } from '../../domain/addresses/address.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { asSkipped, phaseGroupOf } from '../../domain/rollout/operation-host.ts';
import type { PhaseGroup, SkipReason } from '../../domain/vocabulary.ts';
import type { Change } from '../change.ts';
import { tellHosts } from './tell-hosts.ts';

/**
 * One that is in flight is put in order by its work; one that has come to its end has nothing left to be skipped. A failure is taken back by
 * people only, who mean this host.
 */
const mayBeSkipped = ({ phase }: OperationHost, reason: SkipReason): boolean =>
  (phase === 'failed' && reason === 'by_hand') || ['waiting', 'preparing'].includes(phaseGroupOf(phase));

const addressesIn = (planned: readonly OperationHost[], part: PhaseGroup): readonly Address[] =>
  planned.filter(({ phase }) => phaseGroupOf(phase) === part).map(({ host }) => host);

/** Takes hosts out of an operation that is locked: at once, or, where they are in flight, as soon as they are in order. */
export async function skipEach(
  under: Change,
  operation: ClusterOperation,
  hosts: readonly OperationHost[],
  reason: SkipReason,
): Promise<void> {
  const { records, now } = under;
  const { id } = operation;
  const nowMs = await records.nowMs();
  const inFlight = addressesIn(hosts, 'in_flight');
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
  const gone = planned.filter(each => mayBeSkipped(each, reason)).map(each => asSkipped(each, at, reason));
  await records.operationHosts.updateAll(id, gone);
  await records.operationHosts.setUnwanted(id, addressesIn(planned, 'in_flight'), reason);
  await tellHosts(under, operation, gone);
}
