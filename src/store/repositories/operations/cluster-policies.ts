import type { RecordName } from '../../../domain/record-name.ts';
import type { PolicyInput } from '../../../domain/rollout/policy.ts';
import type { SqlSession } from '../../sql-session.ts';
import { policyInputJson } from './policy-json.ts';

/** What operations on a cluster keep to where nothing else is asked for. Whoever changes it has locked the cluster. */
export class ClusterPolicyRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async get(cluster: RecordName): Promise<PolicyInput> {
    const row = await this.#session.db
      .selectFrom('cluster_policies')
      .select('policy_input_json')
      .where('cluster', '=', cluster)
      .executeTakeFirst();
    return row ? policyInputJson.parse(row.policy_input_json) : {};
  }

  async set(cluster: RecordName, wish: PolicyInput): Promise<void> {
    const policy_input_json = policyInputJson.stringify(wish);
    await this.#session.db
      .insertInto('cluster_policies')
      .values({ cluster, policy_input_json })
      .onConflict(conflict => conflict.column('cluster').doUpdateSet({ policy_input_json }))
      .execute();
  }

  async remove(cluster: RecordName): Promise<void> {
    await this.#session.db.deleteFrom('cluster_policies').where('cluster', '=', cluster).execute();
  }
}
