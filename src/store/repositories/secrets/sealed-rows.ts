// Every row of the store that keeps sealed values, table by table. Whoever adds a column of sealed values adds it to TABLES, and to the
// store that `app/keys/rotate-keys.test.ts` rotates: there the old key is looked for in every row of every table.

import type { Address } from '../../../domain/addresses/address.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { Sealed } from '../../../domain/secret.ts';
import {
  logKeyLocation,
  serviceKeyLocation,
  sshPrivateKeyLocation,
  webhookLocation,
} from '../../../domain/secret.ts';
import { DRIVER_RECORD_KINDS } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import { driverRecordRows, workRows } from './sealed-options-rows.ts';
import type { SealedRow, SealedTable } from './sealed-row.ts';
import { renewedBy, sealedPartOf } from './sealed-row.ts';

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
  return sealedPartOf(
    rows,
    ({ host, ssh_priv_key: kept }) => ({
      values: [{ sealed: kept, place: sshPrivateKeyLocation(host) }],
      replace: async renewed => {
        await db
          .updateTable('host_access')
          .set({ ssh_priv_key: renewedBy(renewed, kept) })
          .where('host', '=', host)
          .where('ssh_priv_key', '=', kept)
          .execute();
      },
    }),
    row => row.host,
  );
};

/** A table with one row, whose id is 1. */
const oneRow =
  (read: (session: SqlSession) => Promise<SealedRow | undefined>): SealedTable =>
  async (session, after) => {
    const row = after === '' ? await read(session) : undefined;
    return { rows: row ? [row] : [], next: undefined };
  };

const identityRow = oneRow(async ({ db }) => {
  const row = await db.selectFrom('service_identity').select('private_key').executeTakeFirst();
  return (
    row && {
      values: [{ sealed: row.private_key, place: serviceKeyLocation }],
      replace: async renewed => {
        await db
          .updateTable('service_identity')
          .set({ private_key: renewedBy(renewed, row.private_key) })
          .where('private_key', '=', row.private_key)
          .execute();
      },
    }
  );
});

const logKeyRow = oneRow(async ({ db }) => {
  const row = await db.selectFrom('log_keys').select('sealed_key').executeTakeFirst();
  return (
    row && {
      values: [{ sealed: row.sealed_key, place: logKeyLocation }],
      replace: async renewed => {
        await db
          .updateTable('log_keys')
          .set({ sealed_key: renewedBy(renewed, row.sealed_key) })
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
  return sealedPartOf(
    rows,
    ({ name, sealed_url: url, sealed_secret: secret }) => ({
      values: [
        { sealed: url, place: webhookLocation(name, 'url') },
        { sealed: secret, place: webhookLocation(name, 'secret') },
      ],
      replace: async renewed => {
        await db
          .updateTable('webhooks')
          .set({ sealed_url: renewedBy(renewed, url), sealed_secret: renewedBy(renewed, secret) })
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
  workRows,
  identityRow,
  logKeyRow,
  webhookRows,
];

/** Where a walk through all sealed rows stands. */
export interface SealedRowsCursor {
  readonly table: number;
  readonly after: string;
}

export class SealedRowRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** Some rows after the cursor, and where to go on; `undefined` at the end. */
  async part(
    { table, after }: SealedRowsCursor,
    limit: number,
  ): Promise<{ rows: readonly SealedRow[]; next: SealedRowsCursor | undefined }> {
    const read = TABLES[table];
    if (read === undefined) return { rows: [], next: undefined };
    const { rows, next } = await read(this.#session, after, limit);
    return { rows, next: next === undefined ? { table: table + 1, after: '' } : { table, after: next } };
  }
}
