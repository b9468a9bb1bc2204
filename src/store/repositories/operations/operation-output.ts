import type { Address } from '../../../domain/addresses/address.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';
import { chunksOf } from '../queries/chunks-of.ts';

/** The end of what a step has said on a host. */
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

const save = prepare(({ db }: SqlSession, row: Key & { output: string; last_lines: string; at: string }) =>
  db
    .insertInto('operation_output')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['operation', 'host', 'attempt', 'step'])
        .doUpdateSet({ output: row.output, last_lines: row.last_lines, at: row.at }),
    ),
);

export class OperationOutputRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async save(
    key: Key,
    { output, lastLines, at }: { output: string; lastLines: string; at: string },
  ): Promise<void> {
    await save(this.#session, { ...key, output, last_lines: lastLines, at });
  }

  /** All that is kept of a host, in the order in which it was last added to. */
  async of(operation: string, host: Address): Promise<readonly StepOutput[]> {
    return this.#ofHosts(operation, [host]).select('output').execute();
  }

  /** Of these hosts, only the last lines. */
  async lastLines(operation: string, hosts: readonly Address[]): Promise<readonly StepOutput[]> {
    const found: StepOutput[] = [];
    for (const chunk of chunksOf(hosts))
      found.push(...(await this.#ofHosts(operation, chunk).select('last_lines as output').execute()));
    return found;
  }

  #ofHosts(operation: string, hosts: readonly Address[]) {
    return this.#session.db
      .selectFrom('operation_output')
      .select(['host', 'attempt', 'step', 'at'])
      .where('operation', '=', operation)
      .where('host', 'in', hosts)
      .orderBy('attempt')
      .orderBy('at')
      .orderBy('step');
  }
}
