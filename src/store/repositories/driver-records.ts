import type { Kysely, Selectable } from 'kysely';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { Listed, Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DriverKind } from '../../domain/vocabulary.ts';
import type { Tables } from '../tables.ts';
import type { EngineTraits } from '../traits.ts';
import { wasInserted } from './inserted.ts';
import { readPage } from './read-page.ts';

const toRecord = (row: Selectable<Tables['driver_records']>): DriverRecord => ({
  name: row.name,
  type: row.type,
  options: JSON.parse(row.options_json),
  sealedOptions: JSON.parse(row.sealed_options_json),
  revision: row.revision,
});

const toRow = (kind: DriverKind, record: DriverRecord): Selectable<Tables['driver_records']> => ({
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
  readonly #traits: EngineTraits;

  constructor(db: Kysely<Tables>, traits: EngineTraits) {
    this.#db = db;
    this.#traits = traits;
  }

  #one(kind: DriverKind, name: RecordName) {
    return this.#db
      .selectFrom('driver_records')
      .selectAll()
      .where('kind', '=', kind)
      .where('name', '=', name);
  }

  async get(kind: DriverKind, name: RecordName): Promise<DriverRecord | undefined> {
    const row = await this.#one(kind, name).executeTakeFirst();
    return row && toRecord(row);
  }

  async lock(kind: DriverKind, name: RecordName): Promise<DriverRecord | undefined> {
    const row = await this.#one(kind, name)
      .$if(this.#traits.hasRowLocks, query => query.forUpdate())
      .executeTakeFirst();
    return row && toRecord(row);
  }

  async names(kind: DriverKind, page: Page<RecordName>): Promise<Listed<RecordName>> {
    let query = this.#db.selectFrom('driver_records').select('name').where('kind', '=', kind).orderBy('name');
    if (page.after !== undefined) query = query.where('name', '>', page.after);
    return readPage(query, page.limit, row => row.name);
  }

  /** False when the name is taken. */
  async insert(kind: DriverKind, record: DriverRecord): Promise<boolean> {
    return wasInserted(
      await this.#db
        .insertInto('driver_records')
        .values(toRow(kind, record))
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst(),
    );
  }

  async update(kind: DriverKind, record: DriverRecord): Promise<void> {
    const { kind: _, name, ...changes } = toRow(kind, record);
    await this.#db
      .updateTable('driver_records')
      .set(changes)
      .where('kind', '=', kind)
      .where('name', '=', name)
      .execute();
  }

  async remove(kind: DriverKind, name: RecordName): Promise<void> {
    await this.#db.deleteFrom('driver_records').where('kind', '=', kind).where('name', '=', name).execute();
  }
}
