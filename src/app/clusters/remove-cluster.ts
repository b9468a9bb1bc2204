import type { Actor } from '../../domain/accounts/account.ts';
import type { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { change } from '../change.ts';
import type { ExpectedRevision } from '../expected-revision.ts';
import { revisionProblem } from '../expected-revision.ts';
import { operationRunning } from '../operations/read-operations.ts';
import type { Ports } from '../ports.ts';
import { changeMembership } from './change-membership.ts';
import { unknownCluster } from './read-clusters.ts';

/** Removes a cluster. Its members stay as hosts, and leave what it had brought them into. */
export async function removeCluster(
  ports: Ports,
  actor: Actor,
  { name, expected }: { name: RecordName; expected: ExpectedRevision | undefined },
): Promise<undefined | AppError> {
  return change(ports, actor, async under => {
    const { records, tell } = under;
    const cluster = await records.clusters.lock(name);
    if (cluster === undefined) return unknownCluster(name);
    const problem = revisionProblem(expected, cluster);
    if (problem) return problem;
    const running = await records.operations.lockOpenIn(name);
    if (running) return operationRunning(running);
    const { items } = await records.hosts.memberAddresses(name);
    await changeMembership(under, cluster, { leaving: await records.hosts.lockAll(items) });
    await records.clusterPolicies.remove(name);
    await records.operations.setFormer(name);
    await records.clusters.remove(name);
    await tell({ type: 'cluster.removed', subject: name, cluster: name });
    return undefined;
  });
}
