import type { Selectable } from 'kysely';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { prepare } from '../prepare.ts';
import type { SqlSession } from '../sql-session.ts';
import type { Tables } from '../tables/tables.ts';
import { forUpdate } from './queries/for-update.ts';
import { insertOrLock } from './queries/insert-or-lock.ts';
import type { PageParams } from './queries/page-query.ts';
import { limited, pageParams, toListed } from './queries/page-query.ts';

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

const one = ({ db }: SqlSession, { kind, name }: Key) =>
  db.selectFrom('driver_records').select(COLUMNS).where('kind', '=', kind).where('name', '=', name);
const recordOf = prepare(one);
const lockedRecord = prepare((session: SqlSession, key: Key) => forUpdate(session.engine, one(session, key)));

const managerOf = prepare(({ db }: SqlSession, { cluster }: { cluster: RecordName }) =>
  db
    .selectFrom('clusters')
    .innerJoin('driver_records as record', 'record.name', 'clusters.container_manager')
    .select(COLUMNS.map(column => `record.${column}` as const))
    .where('clusters.name', '=', cluster)
    .where('record.kind', '=', 'container_manager'),
);

const inserted = prepare(({ db }: SqlSession, row: Row & Record<string, unknown>) =>
  db
    .insertInto('driver_records')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning('name'),
);

const namesAfter = prepare(
  ({ db }: SqlSession, { kind, after, limit }: PageParams<RecordName> & Pick<Key, 'kind'>) => {
    const names = db.selectFrom('driver_records').select('name').where('kind', '=', kind).orderBy('name');
    const query = limited(names, limit);
    return after === undefined ? query : query.where('name', '>', after);
  },
);

/** Networks and container managers. */
export class DriverRecordRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async get(kind: DriverRecordKind, name: RecordName): Promise<DriverRecord | undefined> {
    const [row] = await recordOf(this.#session, { kind, name });
    return row && toRecord(row);
  }

  /** The container manager of a cluster; `undefined` where it has none. */
  async managerOf(cluster: RecordName): Promise<DriverRecord | undefined> {
    const [row] = await managerOf(this.#session, { cluster });
    return row && toRecord(row);
  }

  async lock(kind: DriverRecordKind, name: RecordName): Promise<DriverRecord | undefined> {
    this.#session.order.next(kind, name);
    const [row] = await lockedRecord(this.#session, { kind, name });
    return row && toRecord(row);
  }

  async names(kind: DriverRecordKind, page: PageRequest<RecordName>): Promise<Page<RecordName>> {
    const rows = await namesAfter(this.#session, { kind, ...pageParams(page) });
    return toListed(rows, page, row => row.name);
  }

  /** The record of that name that is there, locked; `undefined` when this one was made. */
  insertOrLock(kind: DriverRecordKind, record: DriverRecord): Promise<DriverRecord | undefined> {
    return insertOrLock(
      () => this.lock(kind, record.name),
      async () => (await inserted(this.#session, { ...toRow(kind, record) })).length > 0,
    );
  }

  async update(kind: DriverRecordKind, record: DriverRecord): Promise<void> {
    const { kind: _, name, ...changes } = toRow(kind, record);
    await this.#session.db
      .updateTable('driver_records')
      .set(changes)
      .where('kind', '=', kind)
      .where('name', '=', name)
      .execute();
  }

  async remove(kind: DriverRecordKind, name: RecordName): Promise<void> {
    await this.#session.db
      .deleteFrom('driver_records')
      .where('kind', '=', kind)
      .where('name', '=', name)
      .execute();
  }
}
