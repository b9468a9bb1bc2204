import type { Kysely } from 'kysely';
import type { Address } from '../../domain/addresses/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Sealed, SecretLocation } from '../../domain/secret.ts';
import {
  logKeyLocation,
  optionLocation,
  serviceKeyLocation,
  sshPrivateKeyLocation,
  webhookLocation,
} from '../../domain/secret.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { DRIVER_RECORD_KINDS } from '../../domain/vocabulary.ts';
import { Repository } from '../sql-session.ts';
import type { Tables } from '../tables/tables.ts';
import { taskDetailsJson } from './tasks/tasks.ts';

interface SealedValue {
  readonly sealed: Sealed;
  readonly location: SecretLocation;
}

/** A row with encrypted values, for key rotation. */
export interface SealedRow {
  readonly values: readonly SealedValue[];
  /**
   * Writes the replacements, unless the row has changed since it was read. Encrypted values are unique, so each
   * identifies its replacement.
   */
  replace(replacements: ReadonlyMap<Sealed, Sealed>): Promise<void>;
}

/** `next` is the cursor of the last row; `undefined` at the end. */
interface SealedPage {
  readonly rows: readonly SealedRow[];
  readonly next: string | undefined;
}

/** `after` is a cursor; `''` starts with the first row. */
type SealedTable = (db: Kysely<Tables>, after: string, limit: number) => Promise<SealedPage>;

type Replace = (sealed: Sealed) => Sealed;

interface TableOptions<Row> {
  /** Returns the rows after the cursor, ordered by it. */
  readonly read: (db: Kysely<Tables>, after: string, limit: number) => Promise<readonly Row[]>;
  readonly toCursor: (row: Row) => string;
  readonly toValues: (row: Row) => readonly SealedValue[];
  /** Updates the row if its encrypted values are those of `row`. */
  readonly update: (db: Kysely<Tables>, row: Row, replace: Replace) => { execute(): Promise<unknown> };
}

const sealedTable =
  <Row>({ read, toCursor, toValues, update }: TableOptions<Row>): SealedTable =>
  async (db, after, limit) => {
    const rows = await read(db, after, limit);
    const last = rows.at(-1);
    const toSealedRow = (row: Row): SealedRow => ({
      values: toValues(row),
      replace: async replacements => {
        await update(db, row, sealed => replacements.get(sealed) ?? sealed).execute();
      },
    });
    return { rows: rows.map(toSealedRow), next: last && toCursor(last) };
  };

type SealedOptions = DriverRecord['sealedOptions'];

const toOptionValues = (kind: DriverRecordKind, name: RecordName, options: SealedOptions): readonly SealedValue[] =>
  Object.entries(options).map(([option, sealed]) => ({ sealed, location: optionLocation(kind, name, option) }));

const replaceOptions = (options: SealedOptions, replace: Replace): SealedOptions =>
  Object.fromEntries(Object.entries(options).map(([option, sealed]) => [option, replace(sealed)]));

const driverRecordRows = (kind: DriverRecordKind) =>
  sealedTable({
    read: (db, after, limit) =>
      db
        .selectFrom('driver_records')
        .select(['name', 'sealed_options_json'])
        .where('kind', '=', kind)
        .where('name', '>', after as RecordName)
        .orderBy('name')
        .limit(limit)
        .execute(),
    toCursor: ({ name }) => name,
    toValues: ({ name, sealed_options_json }) => toOptionValues(kind, name, JSON.parse(sealed_options_json)),
    update: (db, { name, sealed_options_json }, replace) =>
      db
        .updateTable('driver_records')
        .set({ sealed_options_json: JSON.stringify(replaceOptions(JSON.parse(sealed_options_json), replace)) })
        .where('kind', '=', kind)
        .where('name', '=', name)
        .where('sealed_options_json', '=', sealed_options_json),
  });

const replaceRecordOptions = (record: DriverRecord | null, replace: Replace) =>
  record && { ...record, sealedOptions: replaceOptions(record.sealedOptions, replace) };

/** A task to leave a cluster contains a copy of its network and container manager. */
const taskRows = sealedTable({
  read: (db, after, limit) =>
    db
      .selectFrom('tasks')
      .select(['id', 'details_json'])
      .where('kind', '=', 'leave')
      .where('id', '>', after === '' ? 0 : Number(after))
      .orderBy('id')
      .limit(limit)
      .execute(),
  toCursor: ({ id }) => String(id),
  toValues: ({ details_json }) => {
    const { network, containerManager } = taskDetailsJson.parse(details_json);
    return [
      ...(network ? toOptionValues('network', network.name, network.sealedOptions) : []),
      ...(containerManager
        ? toOptionValues('container_manager', containerManager.name, containerManager.sealedOptions)
        : []),
    ];
  },
  update: (db, { id, details_json }, replace) => {
    const details = taskDetailsJson.parse(details_json);
    const updated = {
      ...details,
      network: replaceRecordOptions(details.network ?? null, replace),
      containerManager: replaceRecordOptions(details.containerManager ?? null, replace),
    };
    return db
      .updateTable('tasks')
      .set({ details_json: taskDetailsJson.stringify(updated) })
      .where('id', '=', id)
      .where('details_json', '=', details_json);
  },
});

const hostAccessRows = sealedTable({
  read: (db, after, limit) =>
    db
      .selectFrom('host_access')
      .select(['host', 'ssh_priv_key'])
      .where('host', '>', after as Address)
      .where('ssh_priv_key', '<>', '')
      .$narrowType<{ ssh_priv_key: Sealed }>()
      .orderBy('host')
      .limit(limit)
      .execute(),
  toCursor: ({ host }) => host,
  toValues: ({ host, ssh_priv_key }) => [{ sealed: ssh_priv_key, location: sshPrivateKeyLocation(host) }],
  update: (db, { host, ssh_priv_key }, replace) =>
    db
      .updateTable('host_access')
      .set({ ssh_priv_key: replace(ssh_priv_key) })
      .where('host', '=', host)
      .where('ssh_priv_key', '=', ssh_priv_key),
});

const serviceKeyRow = sealedTable({
  read: async (db, after) =>
    after === '' ? db.selectFrom('service_identity').select('private_key as sealed').execute() : [],
  toCursor: () => 'end',
  toValues: ({ sealed }) => [{ sealed, location: serviceKeyLocation }],
  update: (db, { sealed }, replace) =>
    db
      .updateTable('service_identity')
      .set({ private_key: replace(sealed) })
      .where('private_key', '=', sealed),
});

const logKeyRow = sealedTable({
  read: async (db, after) => (after === '' ? db.selectFrom('log_keys').select('sealed_key as sealed').execute() : []),
  toCursor: () => 'end',
  toValues: ({ sealed }) => [{ sealed, location: logKeyLocation }],
  update: (db, { sealed }, replace) =>
    db
      .updateTable('log_keys')
      .set({ sealed_key: replace(sealed) })
      .where('sealed_key', '=', sealed),
});

const webhookRows = sealedTable({
  read: (db, after, limit) =>
    db
      .selectFrom('webhooks')
      .select(['name', 'sealed_url as url', 'sealed_secret as secret'])
      .where('name', '>', after as RecordName)
      .orderBy('name')
      .limit(limit)
      .execute(),
  toCursor: ({ name }) => name,
  toValues: ({ name, url, secret }) => [
    { sealed: url, location: webhookLocation(name, 'url') },
    { sealed: secret, location: webhookLocation(name, 'secret') },
  ],
  update: (db, { name, url, secret }, replace) =>
    db
      .updateTable('webhooks')
      .set({ sealed_url: replace(url), sealed_secret: replace(secret) })
      .where('name', '=', name)
      .where('sealed_url', '=', url)
      .where('sealed_secret', '=', secret),
});

/**
 * All tables with encrypted values. A new encrypted column must be added here, and to the store in
 * `app/rotate-keys.integration.test.ts`, which searches every row of every table for the old key.
 */
const TABLES: readonly SealedTable[] = [
  hostAccessRows,
  ...DRIVER_RECORD_KINDS.map(driverRecordRows),
  taskRows,
  serviceKeyRow,
  logKeyRow,
  webhookRows,
];

interface SealedRowsCursor {
  readonly table: number;
  readonly after: string;
}

export class SealedRowRepository extends Repository {
  async readPage(
    { table, after }: SealedRowsCursor,
    limit: number,
  ): Promise<{ rows: readonly SealedRow[]; next: SealedRowsCursor | undefined }> {
    const read = TABLES[table];
    if (read === undefined) return { rows: [], next: undefined };
    const { rows, next } = await read(this.db, after, limit);
    return { rows, next: next === undefined ? { table: table + 1, after: '' } : { table, after: next } };
  }
}
