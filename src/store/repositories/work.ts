import type { Kysely } from 'kysely';
import type { Address } from '../../domain/address.ts';
import type { Work } from '../../domain/work.ts';
import type { Tables } from '../tables.ts';
import { chunksOf } from './chunks-of.ts';

/** Work to be done on hosts, saved in the transaction of the change that caused it. */
export class WorkRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async save(works: readonly Work[], savedAt: string): Promise<void> {
    for (const chunk of chunksOf(works)) {
      const rows = chunk.map(({ kind, host, ...details }) => ({
        kind,
        host,
        details_json: JSON.stringify(details),
        saved_at: savedAt,
      }));
      await this.#db.insertInto('work').values(rows).execute();
    }
  }

  /** What is to be done on a host, oldest first. */
  async of(host: Address): Promise<readonly Work[]> {
    const rows = await this.#db
      .selectFrom('work')
      .select(['kind', 'host', 'details_json'])
      .where('host', '=', host)
      .orderBy('id')
      .execute();
    return rows.map(({ kind, host, details_json }) => ({ kind, host, ...JSON.parse(details_json) }));
  }
}
