import type { EnrolmentToken } from '../../../domain/accounts/enrolment-token.ts';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { insertIfAbsent, insertOrLock, prepareLookup, toPage, toPageParams, withLimit } from '../query-building.ts';

const selectTokens = ({ db }: SqlSession) =>
  db
    .selectFrom('enrolment_tokens')
    .select(['name', 'id', 'secret_digest as secretDigest', 'cluster', 'cidr as network'])
    .select(['uses', 'used', 'created_at as createdAt', 'expires_at as expiresAt']);

const tokenByName = prepareLookup((session: SqlSession, { name }: { name: RecordName }) =>
  selectTokens(session).where('name', '=', name),
);

/** Runs for every request with a token. */
const findTokenByDigest = prepareQuery((session: SqlSession, { digest }: { digest: string }) =>
  selectTokens(session).where('secret_digest', '=', digest),
);

export class EnrolmentTokenRepository extends Repository {
  get(name: RecordName): Promise<EnrolmentToken | undefined> {
    return tokenByName.find(this.session, { name });
  }

  async findByDigest(digest: string): Promise<EnrolmentToken | undefined> {
    const [token] = await findTokenByDigest(this.session, { digest });
    return token;
  }

  async list(page: PageRequest<RecordName>): Promise<Page<EnrolmentToken>> {
    const all = selectTokens(this.session).orderBy('name');
    const { after, limit } = toPageParams(page);
    const query = withLimit(after === undefined ? all : all.where('name', '>', after), limit);
    return toPage(await query.execute(), page, row => row);
  }

  async lock(name: RecordName): Promise<EnrolmentToken | undefined> {
    this.session.lockOrder.assertNext('token', name);
    return tokenByName.lock(this.session, { name });
  }

  insertOrLock(token: EnrolmentToken): Promise<EnrolmentToken | undefined> {
    const { secretDigest, network, createdAt, expiresAt, ...columns } = token;
    const row = {
      ...columns,
      secret_digest: secretDigest,
      cidr: network,
      created_at: createdAt,
      expires_at: expiresAt,
    };
    return insertOrLock(
      () => this.lock(token.name),
      () => insertIfAbsent(this.db.insertInto('enrolment_tokens').values(row)),
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
