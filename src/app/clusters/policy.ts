import type { Actor } from '../../domain/accounts/account.ts';
import type { AppError } from '../../domain/errors.ts';
import { invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import { resolvePolicy } from '../../domain/rollout/policy.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import { unknownCluster } from './read-clusters.ts';

export async function readPolicy({ store }: Ports, name: RecordName): Promise<PolicyInput | AppError> {
  if ((await store.reads.clusters.get(name)) === undefined) return unknownCluster(name);
  return store.reads.clusterPolicies.get(name);
}

/** What operations on the cluster keep to from now on, where they are not asked otherwise. Running ones keep what they began with. */
export async function setPolicy(
  ports: Ports,
  actor: Actor,
  { name, wish: input }: { readonly name: RecordName; readonly wish: PolicyInput },
): Promise<PolicyInput | AppError> {
  if (input.isDryRun !== undefined)
    return invalidBody({
      path: '/dry_run',
      message: 'is only allowed in the policy of an operation, not in the policy of a cluster',
    });
  // Whatever is wrong for every kind is wrong.
  const problem = resolvePolicy('upgrade', { input, defaults: {}, hasManager: true });
  if (Array.isArray(problem)) return invalidBody(...problem);
  return change(ports, actor, async ({ records, tell }) => {
    if ((await records.clusters.lock(name)) === undefined) return unknownCluster(name);
    await records.clusterPolicies.set(name, input);
    await tell({ type: 'cluster.policy_changed', subject: name, cluster: name });
    return input;
  });
}
