import type { Kysely, Selectable } from 'kysely';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Listed, Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import type { Tables } from '../tables.ts';
import type { Locking } from '../traits.ts';
import { insertOrLock } from './insert-or-lock.ts';
import { wasInserted } from './inserted.ts';
import { readPage } from './read-page.ts';

const toRecord = (row: Selectable<Tables['driver_records']>): DriverRecord => ({
  name: row.name,
  type: row.type,
  options: JSON.parse(row.options_json),
  sealedOptions: JSON.parse(row.sealed_options_json),
  revision: row.revision,
});

const toRow = (kind: DriverRecordKind, record: DriverRecord): Selectable<Tables['driver_records']> => ({
  kind,
  name: record.name,
  type: record.type,
  options_json: JSON.stringify(record.options),
  sealed_options_json: JSON.stringify(record.sealedOptions),
  revision: record.revision,
});

/** Networks and container managers. */
export class DriverRecordRepository {
  readonly #db: Kysely<Tables>;
  readonly #locking: Locking;

  constructor(db: Kysely<Tables>, locking: Locking) {
    this.#db = db;
    this.#locking = locking;
  }

  #one(kind: DriverRecordKind, name: RecordName) {
    return this.#db
      .selectFrom('driver_records')
      .selectAll()
      .where('kind', '=', kind)
      .where('name', '=', name);
  }

  async get(kind: DriverRecordKind, name: RecordName): Promise<DriverRecord | undefined> {
    const row = await this.#one(kind, name).executeTakeFirst();
    return row && toRecord(row);
  }

  async lock(kind: DriverRecordKind, name: RecordName): Promise<DriverRecord | undefined> {
    this.#locking.order.next(kind, name);
    const row = await this.#one(kind, name)
      .$if(this.#locking.hasRowLocks, query => query.forUpdate())
      .executeTakeFirst();
    return row && toRecord(row);
  }

  async names(kind: DriverRecordKind, page: Page<RecordName>): Promise<Listed<RecordName>> {
    let query = this.#db.selectFrom('driver_records').select('name').where('kind', '=', kind).orderBy('name');
    if (page.after !== undefined) query = query.where('name', '>', page.after);
    return readPage(query, page.limit, row => row.name);
  }

  /** The record of that name that is there, locked; `undefined` when this one was made. */
  insertOrLock(kind: DriverRecordKind, record: DriverRecord): Promise<DriverRecord | undefined> {
    return insertOrLock(
      () => this.lock(kind, record.name),
      () => this.#insert(kind, record),
    );
  }

  async #insert(kind: DriverRecordKind, record: DriverRecord): Promise<boolean> {
    return wasInserted(
      await this.#db
        .insertInto('driver_records')
        .values(toRow(kind, record))
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst(),
    );
  }

  async update(kind: DriverRecordKind, record: DriverRecord): Promise<void> {
    const { kind: _, name, ...changes } = toRow(kind, record);
    await this.#db
      .updateTable('driver_records')
      .set(changes)
      .where('kind', '=', kind)
      .where('name', '=', name)
      .execute();
  }

  async remove(kind: DriverRecordKind, name: RecordName): Promise<void> {
    await this.#db.deleteFrom('driver_records').where('kind', '=', kind).where('name', '=', name).execute();
  }
}
