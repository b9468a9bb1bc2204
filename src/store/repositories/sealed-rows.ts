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
import type { SqlSession } from '../sql-session.ts';
import { Repository } from '../sql-session.ts';
import { taskDetailsJson } from './tasks/tasks.ts';

/** A row with encrypted values, for key rotation. */
export interface SealedRow {
  readonly values: readonly { readonly sealed: Sealed; readonly location: SecretLocation }[];
  /** Writes the replacements, unless the row has changed since it was read. */
  replace(replacements: SealedReplacements): Promise<void>;
}

/** Encrypted values are unique, so each identifies its replacement. */
export type SealedReplacements = ReadonlyMap<Sealed, Sealed>;

export const replaceSealed = (replacements: SealedReplacements, sealed: Sealed): Sealed =>
  replacements.get(sealed) ?? sealed;

/** `next` is the cursor of the last row; `undefined` at the end. */
export interface SealedPage {
  readonly rows: readonly SealedRow[];
  readonly next: string | undefined;
}

/** `after` is a cursor; `''` starts with the first row. */
export type SealedTable = (session: SqlSession, after: string, limit: number) => Promise<SealedPage>;

export function toSealedPage<Row>(
  rows: readonly Row[],
  toSealedRow: (row: Row) => SealedRow,
  toCursor: (row: Row) => string,
): SealedPage {
  const last = rows.at(-1);
  return { rows: rows.map(toSealedRow), next: last && toCursor(last) };
}

type WithOptions = Pick<DriverRecord, 'name' | 'sealedOptions'>;

const toSealedValues = (kind: DriverRecordKind, { name, sealedOptions }: WithOptions) =>
  Object.entries(sealedOptions).map(([option, sealed]) => ({
    sealed,
    location: optionLocation(kind, name, option),
  }));

const replaceOptions = (options: DriverRecord['sealedOptions'], replacements: SealedReplacements) =>
  Object.fromEntries(Object.entries(options).map(([option, sealed]) => [option, replaceSealed(replacements, sealed)]));

export const driverRecordRows =
  (kind: DriverRecordKind): SealedTable =>
  async ({ db }, after, limit) => {
    const rows = await db
      .selectFrom('driver_records')
      .select(['name', 'sealed_options_json'])
      .where('kind', '=', kind)
      .where('name', '>', after as RecordName)
      .orderBy('name')
      .limit(limit)
      .execute();
    return toSealedPage(
      rows,
      ({ name, sealed_options_json: storedJson }) => {
        const sealedOptions: DriverRecord['sealedOptions'] = JSON.parse(storedJson);
        return {
          values: toSealedValues(kind, { name, sealedOptions }),
          replace: async replacements => {
            await db
              .updateTable('driver_records')
              .set({ sealed_options_json: JSON.stringify(replaceOptions(sealedOptions, replacements)) })
              .where('kind', '=', kind)
              .where('name', '=', name)
              .where('sealed_options_json', '=', storedJson)
              .execute();
          },
        };
      },
      row => row.name,
    );
  };

const replaceRecordOptions = (record: DriverRecord | null, replacements: SealedReplacements) =>
  record && { ...record, sealedOptions: replaceOptions(record.sealedOptions, replacements) };

/** A task to leave a cluster contains a copy of its network and container manager. */
export const taskRows: SealedTable = async ({ db }, after, limit) => {
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'details_json'])
    .where('kind', '=', 'leave')
    .where('id', '>', after === '' ? 0 : Number(after))
    .orderBy('id')
    .limit(limit)
    .execute();
  return toSealedPage(
    rows,
    ({ id, details_json: storedJson }) => {
      const details = taskDetailsJson.parse(storedJson);
      const { network = null, containerManager = null } = details;
      return {
        values: [
          ...(network ? toSealedValues('network', network) : []),
          ...(containerManager ? toSealedValues('container_manager', containerManager) : []),
        ],
        replace: async replacements => {
          const updated = {
            ...details,
            network: replaceRecordOptions(network, replacements),
            containerManager: replaceRecordOptions(containerManager, replacements),
          };
          await db
            .updateTable('tasks')
            .set({ details_json: taskDetailsJson.stringify(updated) })
            .where('id', '=', id)
            .where('details_json', '=', storedJson)
            .execute();
        },
      };
    },
    row => String(row.id),
  );
};

// All tables with encrypted values. A new encrypted column must be added to TABLES, and to the store in
// `app/rotate-keys.test.ts`, which searches every row of every table for the old key.

const hostAccessRows: SealedTable = async ({ db }, after, limit) => {
  const rows = await db
    .selectFrom('host_access')
    .select(['host', 'ssh_priv_key'])
    .where('host', '>', after as Address)
    .where('ssh_priv_key', '<>', '')
    .$narrowType<{ ssh_priv_key: Sealed }>()
    .orderBy('host')
    .limit(limit)
    .execute();
  return toSealedPage(
    rows,
    ({ host, ssh_priv_key: stored }) => ({
      values: [{ sealed: stored, location: sshPrivateKeyLocation(host) }],
      replace: async replacements => {
        await db
          .updateTable('host_access')
          .set({ ssh_priv_key: replaceSealed(replacements, stored) })
          .where('host', '=', host)
          .where('ssh_priv_key', '=', stored)
          .execute();
      },
    }),
    row => row.host,
  );
};

/** A table with one row. */
const singleRow =
  (read: (session: SqlSession) => Promise<SealedRow | undefined>): SealedTable =>
  async (session, after) => {
    const row = after === '' ? await read(session) : undefined;
    return { rows: row ? [row] : [], next: undefined };
  };

const serviceKeyRow = singleRow(async ({ db }) => {
  const row = await db.selectFrom('service_identity').select('private_key').executeTakeFirst();
  return (
    row && {
      values: [{ sealed: row.private_key, location: serviceKeyLocation }],
      replace: async replacements => {
        await db
          .updateTable('service_identity')
          .set({ private_key: replaceSealed(replacements, row.private_key) })
          .where('private_key', '=', row.private_key)
          .execute();
      },
    }
  );
});

const logKeyRow = singleRow(async ({ db }) => {
  const row = await db.selectFrom('log_keys').select('sealed_key').executeTakeFirst();
  return (
    row && {
      values: [{ sealed: row.sealed_key, location: logKeyLocation }],
      replace: async replacements => {
        await db
          .updateTable('log_keys')
          .set({ sealed_key: replaceSealed(replacements, row.sealed_key) })
          .where('sealed_key', '=', row.sealed_key)
          .execute();
      },
    }
  );
});

const webhookRows: SealedTable = async ({ db }, after, limit) => {
  const rows = await db
    .selectFrom('webhooks')
    .select(['name', 'sealed_url', 'sealed_secret'])
    .where('name', '>', after as RecordName)
    .orderBy('name')
    .limit(limit)
    .execute();
  return toSealedPage(
    rows,
    ({ name, sealed_url: url, sealed_secret: secret }) => ({
      values: [
        { sealed: url, location: webhookLocation(name, 'url') },
        { sealed: secret, location: webhookLocation(name, 'secret') },
      ],
      replace: async replacements => {
        await db
          .updateTable('webhooks')
          .set({
            sealed_url: replaceSealed(replacements, url),
            sealed_secret: replaceSealed(replacements, secret),
          })
          .where('name', '=', name)
          .where('sealed_url', '=', url)
          .where('sealed_secret', '=', secret)
          .execute();
      },
    }),
    row => row.name,
  );
};

const TABLES: readonly SealedTable[] = [
  hostAccessRows,
  ...DRIVER_RECORD_KINDS.map(driverRecordRows),
  taskRows,
  serviceKeyRow,
  logKeyRow,
  webhookRows,
];

/** A position in the iteration over all tables. */
export interface SealedRowsCursor {
  readonly table: number;
  readonly after: string;
}

export class SealedRowRepository extends Repository {
  /** `next` is `undefined` at the end. */
  async readPage(
    { table, after }: SealedRowsCursor,
    limit: number,
  ): Promise<{ rows: readonly SealedRow[]; next: SealedRowsCursor | undefined }> {
    const read = TABLES[table];
    if (read === undefined) return { rows: [], next: undefined };
    const { rows, next } = await read(this.session, after, limit);
    return { rows, next: next === undefined ? { table: table + 1, after: '' } : { table, after: next } };
  }
}
