import type { Address } from '../../domain/address.ts';
import type { Work } from '../../domain/work.ts';
import type { Session } from '../session.ts';
import { chunksOf } from './chunks-of.ts';

/** Work to be done on hosts, saved in the transaction of the change that caused it. */
export class WorkRepository {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async save(works: readonly Work[], savedAt: string): Promise<void> {
    for (const chunk of chunksOf(works)) {
      const rows = chunk.map(({ kind, host, enrolment, ...details }) => ({
        kind,
        host,
        enrolment,
        details_json: JSON.stringify(details),
        saved_at: savedAt,
      }));
      await this.#session.db.insertInto('work').values(rows).execute();
    }
  }

  /** Forgets what was to be done to bring a host in. What takes it out of something stays. */
  async dropUnstarted(host: Address): Promise<void> {
    await this.#session.db.deleteFrom('work').where('host', '=', host).where('kind', '<>', 'leave').execute();
  }

  /** What is to be done on a host, oldest first. */
  async of(host: Address): Promise<readonly Work[]> {
    const rows = await this.#session.db
      .selectFrom('work')
      .select(['kind', 'host', 'enrolment', 'details_json'])
      .where('host', '=', host)
      .orderBy('id')
      .execute();
    return rows.map(({ details_json, ...row }) => ({ ...row, ...JSON.parse(details_json) }));
  }
}
