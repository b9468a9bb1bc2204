import type { Actor } from '../../domain/accounts/account.ts';
import type { Cluster, ClusterWithCounts } from '../../domain/cluster.ts';
import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { newId } from '../../lib/new-id.ts';
import type { Records } from '../../store/records.ts';
import { change } from '../change.ts';
import type { ExpectedRevision } from '../expected-revision.ts';
import { differentContent, revisionProblem } from '../expected-revision.ts';
import { operationRunning } from '../operations/read-operations.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { resettleMembers } from './change-membership.ts';

export interface ClusterRequest {
  readonly name: RecordName;
  readonly network: RecordName;
  readonly containerManager: RecordName | null;
  readonly expected: ExpectedRevision | undefined;
}

/** Creates a cluster, finds it there as it shall be, or replaces the settings of the one that is expected. */
export async function putCluster(
  ports: Ports,
  actor: Actor,
  { expected, ...settings }: ClusterRequest,
): Promise<PutResult<ClusterWithCounts> | AppError> {
  return change(ports, actor, async under => {
    const { records, tell } = under;
    const wanted: Cluster = { ...settings, revision: newId() };
    const missing = await lockWhatItUses(records, wanted);
    if (missing) return missing;
    const current = expected
      ? await records.clusters.lock(wanted.name)
      : await records.clusters.insertOrLock(wanted);
    const problem = revisionProblem(expected, current);
    if (problem) return problem;
    const happened = {
      subject: wanted.name,
      cluster: wanted.name,
      data: { network: wanted.network, container_manager: wanted.containerManager ?? '' },
    };
    if (current === undefined) {
      await tell({ type: 'cluster.created', ...happened });
      return { record: { ...wanted, members: {} }, isNew: true };
    }
    const isSame = current.network === wanted.network && current.containerManager === wanted.containerManager;
    if (!isSame && expected === undefined) return differentContent(`the cluster ${wanted.name}`);
    if (!isSame) {
      const running = await records.operations.lockOpenIn(wanted.name);
      if (running) return operationRunning(running);
      await records.clusters.update(wanted);
      await tell({ type: 'cluster.changed', ...happened });
      await resettleMembers(under, current, wanted);
    }
    const members = await records.clusters.memberCounts(wanted.name);
    return { record: { ...(isSame ? current : wanted), members }, isNew: false };
  });
}

/** Locks the network and the container manager, so that they cannot be removed before the cluster that uses them is saved. */
async function lockWhatItUses(
  records: Records,
  { network, containerManager }: Cluster,
): Promise<AppError | undefined> {
  if ((await records.driverRecords.lock('network', network)) === undefined) {
    return new AppError('unknown_network', `the network ${network} does not exist; create it first`);
  }
  if (containerManager === null) return undefined;
  if ((await records.driverRecords.lock('container_manager', containerManager)) === undefined) {
    return new AppError(
      'unknown_container_manager',
      `the container manager ${containerManager} does not exist; create it first`,
    );
  }
  return undefined;
}
