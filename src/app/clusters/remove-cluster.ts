import type { Actor } from '../../domain/actor.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { IfMatch } from '../if-match.ts';
import { preconditionProblem } from '../if-match.ts';
import type { Ports } from '../ports.ts';
import { tell } from '../tell.ts';
import { changeMembership } from './change-membership.ts';
import { unknownCluster } from './read-clusters.ts';

/** Removes a cluster. Its members stay as hosts, and leave what it had brought them into. */
export async function removeCluster(
  { store, clock }: Ports,
  actor: Actor,
  { name, ifMatch }: { name: RecordName; ifMatch: IfMatch | undefined },
): Promise<undefined | Refusal> {
  return store.transaction(async records => {
    const cluster = await records.clusters.lock(name);
    if (cluster === undefined) return unknownCluster(name);
    const problem = preconditionProblem(ifMatch, cluster);
    if (problem) return problem;
    const members = await records.hosts.memberAddresses(name);
    const leaving = await records.hosts.lockAll(members.items);
    await changeMembership({ records, clock, actor }, cluster, { joining: [], leaving });
    await records.clusters.remove(name);
    await tell(records, clock, actor, [{ type: 'cluster.removed', subject: name, cluster: name }]);
    return undefined;
  });
}
