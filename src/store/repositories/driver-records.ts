import type { Selectable } from 'kysely';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import type { Params, SqlSession } from '../sql-session.ts';
import { prepareQuery, Repository } from '../sql-session.ts';
import type { Tables } from '../tables/tables.ts';
import type { PageParams } from './query-building.ts';
import { insertIfAbsent, insertOrLock, prepareLookup, toPage, toPageParams, withLimit } from './query-building.ts';

type Row = Selectable<Tables['driver_records']>;

const COLUMNS = ['kind', 'name', 'type', 'options_json', 'sealed_options_json', 'revision'] as const;

const toRecord = (row: Row): DriverRecord => ({
  name: row.name,
  type: row.type,
  options: JSON.parse(row.options_json),
  sealedOptions: JSON.parse(row.sealed_options_json),
  revision: row.revision,
});

const toRow = (kind: DriverRecordKind, record: DriverRecord): Row => ({
  kind,
  name: record.name,
  type: record.type,
  options_json: JSON.stringify(record.options),
  sealed_options_json: JSON.stringify(record.sealedOptions),
  revision: record.revision,
});

type Key = Pick<Row, 'kind' | 'name'>;

const recordByName = prepareLookup(({ db }: SqlSession, { kind, name }: Key) =>
  db.selectFrom('driver_records').select(COLUMNS).where('kind', '=', kind).where('name', '=', name),
);

const findManager = prepareQuery(({ db }: SqlSession, { cluster }: { cluster: RecordName }) =>
  db
    .selectFrom('clusters')
    .innerJoin('driver_records as record', 'record.name', 'clusters.container_manager')
    .select(COLUMNS.map(column => `record.${column}` as const))
    .where('clusters.name', '=', cluster)
    .where('record.kind', '=', 'container_manager'),
);

const listNamesAfter = prepareQuery(
  ({ db }: SqlSession, { kind, after, limit }: PageParams<RecordName> & Pick<Key, 'kind'>) => {
    const names = db.selectFrom('driver_records').select('name').where('kind', '=', kind).orderBy('name');
    const query = withLimit(names, limit);
    return after === undefined ? query : query.where('name', '>', after);
  },
);

const listAfter = prepareQuery(
  ({ db }: SqlSession, { kind, after, limit }: PageParams<RecordName> & Pick<Key, 'kind'>) => {
    const records = db.selectFrom('driver_records').select(COLUMNS).where('kind', '=', kind).orderBy('name');
    const query = withLimit(records, limit);
    return after === undefined ? query : query.where('name', '>', after);
  },
);

const insertRecord = prepareQuery(({ db }: SqlSession, row: Row & Params) =>
  db
    .insertInto('driver_records')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning('name'),
);

export class DriverRecordRepository extends Repository {
  async get(kind: DriverRecordKind, name: RecordName): Promise<DriverRecord | undefined> {
    const row = await recordByName.find(this.session, { kind, name });
    return row && toRecord(row);
  }

  async getManager(cluster: RecordName): Promise<DriverRecord | undefined> {
    const [row] = await findManager(this.session, { cluster });
    return row && toRecord(row);
  }

  async lock(kind: DriverRecordKind, name: RecordName): Promise<DriverRecord | undefined> {
    this.session.lockOrder.assertNext(kind, name);
    const row = await recordByName.lock(this.session, { kind, name });
    return row && toRecord(row);
  }

  async listNames(kind: DriverRecordKind, page: PageRequest<RecordName>): Promise<Page<RecordName>> {
    const rows = await listNamesAfter(this.session, { kind, ...toPageParams(page) });
    return toPage(rows, page, row => row.name);
  }

  async list(kind: DriverRecordKind, page: PageRequest<RecordName>): Promise<Page<DriverRecord>> {
    return toPage(await listAfter(this.session, { kind, ...toPageParams(page) }), page, toRecord);
  }

  insertOrLock(kind: DriverRecordKind, record: DriverRecord): Promise<DriverRecord | undefined> {
    return insertOrLock(
      () => this.lock(kind, record.name),
      async () => (await insertRecord(this.session, { ...toRow(kind, record) })).length > 0,
    );
  }

  async update(kind: DriverRecordKind, record: DriverRecord): Promise<void> {
    const { kind: _, name, ...changes } = toRow(kind, record);
    await this.db
      .updateTable('driver_records')
      .set(changes)
      .where('kind', '=', kind)
      .where('name', '=', name)
      .execute();
  }

  async remove(kind: DriverRecordKind, name: RecordName): Promise<void> {
    await this.db.deleteFrom('driver_records').where('kind', '=', kind).where('name', '=', name).execute();
  }
}

/** The memory of drivers that have no server to store it. A scope belongs to one record. */
export class DriverMemoryRepository extends Repository {
  async get(scope: string, key: string): Promise<string | undefined> {
    const row = await this.db
      .selectFrom('driver_memory')
      .select('value')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.value;
  }

  /** Writes only if the current value is `expected`; `undefined`: there is none. Returns whether it did. */
  async compareAndSet(scope: string, key: string, expected: string | undefined, value: string): Promise<boolean> {
    if (expected === undefined)
      return insertIfAbsent(this.db.insertInto('driver_memory').values({ scope, key, value }));
    const { numUpdatedRows } = await this.db
      .updateTable('driver_memory')
      .set({ value })
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('value', '=', expected)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async delete(scope: string, key: string): Promise<void> {
    await this.db.deleteFrom('driver_memory').where('scope', '=', scope).where('key', '=', key).execute();
  }

  async deleteScope(scope: string): Promise<void> {
    await this.db.deleteFrom('driver_memory').where('scope', '=', scope).execute();
  }
}
