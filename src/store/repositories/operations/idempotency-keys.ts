import type { RecordName } from '../../../domain/record-name.ts';
import { Repository } from '../../sql-session.ts';
import type { RequestedOperation } from './operation-rows.ts';
import { OPERATION_COLUMNS, toRequestedOperation } from './operation-rows.ts';

export class IdempotencyKeyRepository extends Repository {
  /** Finds the operation of a key if it is open or ended after `endedSince`. */
  async findOperation(cluster: RecordName, key: string, endedSince: string): Promise<RequestedOperation | undefined> {
    const row = await this.db
      .selectFrom('operations')
      .innerJoin('idempotency_keys', 'idempotency_keys.operation', 'operations.id')
      .select([...OPERATION_COLUMNS, 'policy_input_json'])
      .where('idempotency_keys.cluster', '=', cluster)
      .where('key', '=', key)
      .where('is_cluster_removed', '=', 0)
      .where(({ or, eb }) => or([eb('finished_at', 'is', null), eb('finished_at', '>=', endedSince)]))
      .executeTakeFirst();
    return row && toRequestedOperation(row);
  }

  async set(cluster: RecordName, key: string, operation: string): Promise<void> {
    await this.db
      .insertInto('idempotency_keys')
      .values({ cluster, key, operation })
      .onConflict(conflict => conflict.columns(['cluster', 'key']).doUpdateSet({ operation }))
      .execute();
  }
}
