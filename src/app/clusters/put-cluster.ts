import type { Actor } from '../../domain/actor.ts';
import type { Cluster, ClusterWithCounts } from '../../domain/cluster.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { newId } from '../../lib/new-id.ts';
import type { Records } from '../../store/records.ts';
import type { IfMatch } from '../if-match.ts';
import { preconditionProblem } from '../if-match.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { tell } from '../tell.ts';

export interface ClusterRequest {
  readonly name: RecordName;
  readonly network: RecordName;
  readonly containerManager: RecordName | null;
  readonly ifMatch: IfMatch | undefined;
}

/** Creates a cluster, finds it there as it shall be, or replaces the settings of the one that `ifMatch` names. */
export async function putCluster(
  { store, clock }: Ports,
  actor: Actor,
  { ifMatch, ...settings }: ClusterRequest,
): Promise<PutResult<ClusterWithCounts> | Refusal> {
  return store.transaction(async records => {
    const wanted: Cluster = { ...settings, revision: newId() };
    const found = await records.clusters.get(settings.name);
    const problem = preconditionProblem(ifMatch, found) ?? (await lockWhatItUses(records, settings));
    if (problem) return problem;
    const happened = {
      subject: wanted.name,
      cluster: wanted.name,
      data: { network: wanted.network, container_manager: wanted.containerManager ?? '' },
    };
    if (found === undefined && (await records.clusters.insert(wanted))) {
      await tell(records, clock, actor, [{ type: 'cluster.created', ...happened }]);
      return { record: { ...wanted, members: {} }, isNew: true };
    }

    // It was there, or has been made by another server since we looked; locked, it is there to stay.
    const current = await records.clusters.lock(settings.name);
    const isSame =
      current?.network === wanted.network && current.containerManager === wanted.containerManager;
    if (current === undefined || (!isSame && ifMatch === undefined)) {
      return new Refusal(
        'conflict',
        `${wanted.name} exists with other settings; to replace them, send If-Match with the ETag of a GET`,
      );
    }
    const changedMeanwhile = preconditionProblem(ifMatch, current);
    if (changedMeanwhile) return changedMeanwhile;
    if (!isSame) {
      await records.clusters.update(wanted);
      await tell(records, clock, actor, [{ type: 'cluster.changed', ...happened }]);
    }
    const record = await records.clusters.getWithCounts(wanted.name);
    return record
      ? { record, isNew: false }
      : new Refusal('conflict', `${wanted.name} was removed meanwhile; try again`);
  });
}

/** Locks the network and the container manager, so that they cannot be removed before the cluster that uses them is saved. */
async function lockWhatItUses(
  records: Records,
  { network, containerManager }: Omit<ClusterRequest, 'ifMatch'>,
) {
  if ((await records.driverRecords.lock('network', network)) === undefined) {
    return new Refusal('unknown_network', `there is no network ${network}; create it first`);
  }
  if (containerManager === null) return undefined;
  if ((await records.driverRecords.lock('container_manager', containerManager)) === undefined) {
    return new Refusal(
      'unknown_container_manager',
      `there is no container manager ${containerManager}; create it first`,
    );
  }
  return undefined;
}
