import type { Address } from '../../../domain/addresses/address.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { queryInChunks } from '../query-building.ts';

/** The end of the output of a step on a host. */
export interface StepOutput {
  readonly host: Address;
  readonly attempt: number;
  readonly step: string;
  readonly output: string;
  readonly at: string;
}

type Key = {
  readonly operation: string;
  readonly host: Address;
  readonly attempt: number;
  readonly step: string;
};

const upsertOutput = prepareQuery(({ db }: SqlSession, row: Key & { output: string; last_lines: string; at: string }) =>
  db
    .insertInto('operation_output')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['operation', 'host', 'attempt', 'step'])
        .doUpdateSet({ output: row.output, last_lines: row.last_lines, at: row.at }),
    ),
);

export class OperationOutputRepository extends Repository {
  async save(key: Key, { output, lastLines, at }: { output: string; lastLines: string; at: string }): Promise<void> {
    await upsertOutput(this.session, { ...key, output, last_lines: lastLines, at });
  }

  /** In the order of the last write. */
  async list(operation: string, host: Address): Promise<readonly StepOutput[]> {
    return this.#selectByHosts(operation, [host]).select('output').execute();
  }

  listLastLines(operation: string, hosts: readonly Address[]): Promise<readonly StepOutput[]> {
    return queryInChunks(hosts, chunk =>
      this.#selectByHosts(operation, chunk).select('last_lines as output').execute(),
    );
  }

  #selectByHosts(operation: string, hosts: readonly Address[]) {
    return this.db
      .selectFrom('operation_output')
      .select(['host', 'attempt', 'step', 'at'])
      .where('operation', '=', operation)
      .where('host', 'in', hosts)
      .orderBy('attempt')
      .orderBy('at')
      .orderBy('step');
  }
}
