import type { Selectable } from 'kysely';
import type { EnrolmentToken } from '../../../domain/accounts/enrolment-token.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import { forUpdate, insertOrLock, toPage, toPageParams, withLimit } from '../query-building.ts';

type Row = Selectable<Tables['enrolment_tokens']>;

const COLUMNS = [
  ...(['name', 'id', 'secret_digest', 'cluster', 'cidr'] as const),
  ...(['uses', 'used', 'created_at', 'expires_at'] as const),
];

const toToken = (row: Row): EnrolmentToken => ({
  name: row.name,
  id: row.id,
  secretDigest: row.secret_digest,
  cluster: row.cluster,
  network: row.cidr,
  uses: row.uses,
  used: row.used,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

const toRow = (token: EnrolmentToken): Row => ({
  name: token.name,
  id: token.id,
  secret_digest: token.secretDigest,
  cluster: token.cluster,
  cidr: token.network,
  uses: token.uses,
  used: token.used,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
});

type Key = Pick<Row, 'name'>;

const selectToken = ({ db }: SqlSession, { name }: Key) =>
  db.selectFrom('enrolment_tokens').select(COLUMNS).where('name', '=', name);
const lockToken = prepareQuery((session: SqlSession, key: Key) => forUpdate(session.engine, selectToken(session, key)));

/** Runs for every request with a token. */
const findTokenByDigest = prepareQuery(({ db }: SqlSession, { digest }: { digest: string }) =>
  db.selectFrom('enrolment_tokens').select(COLUMNS).where('secret_digest', '=', digest),
);

export class EnrolmentTokenRepository extends Repository {
  async get(name: RecordName): Promise<EnrolmentToken | undefined> {
    const row = await selectToken(this.session, { name }).executeTakeFirst();
    return row && toToken(row);
  }

  async findByDigest(digest: string): Promise<EnrolmentToken | undefined> {
    const [row] = await findTokenByDigest(this.session, { digest });
    return row && toToken(row);
  }

  async list(page: PageRequest<RecordName>): Promise<Page<EnrolmentToken>> {
    const all = this.db.selectFrom('enrolment_tokens').select(COLUMNS).orderBy('name');
    const { after, limit } = toPageParams(page);
    const query = withLimit(after === undefined ? all : all.where('name', '>', after), limit);
    return toPage(await query.execute(), page, toToken);
  }

  async lock(name: RecordName): Promise<EnrolmentToken | undefined> {
    this.session.lockOrder.assertNext('token', name);
    const [row] = await lockToken(this.session, { name });
    return row && toToken(row);
  }

  /** Returns the existing token, locked, or `undefined` if this one was inserted. */
  insertOrLock(token: EnrolmentToken): Promise<EnrolmentToken | undefined> {
    return insertOrLock(
      () => this.lock(token.name),
      async () => {
        const inserted = await this.db
          .insertInto('enrolment_tokens')
          .values(toRow(token))
          .onConflict(conflict => conflict.doNothing())
          .returning('name')
          .execute();
        return inserted.length > 0;
      },
    );
  }

  /** The token must be locked. */
  async setUsed(name: RecordName, used: number): Promise<void> {
    await this.db.updateTable('enrolment_tokens').set({ used }).where('name', '=', name).execute();
  }

  async remove(name: RecordName): Promise<void> {
    await this.db.deleteFrom('enrolment_tokens').where('name', '=', name).execute();
  }
}
