// Every row of the store that keeps sealed values, table by table. Whoever adds a column of sealed values adds it here, or the next
// rotation of keys makes it unreadable; a test looks for columns that were forgotten.

import type { Address } from '../../domain/address.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { hostKeyPlace, identityPlace, optionPlace } from '../../domain/sealed-places.ts';
import type { SealedRow } from '../../domain/sealed-row.ts';
import type { Sealed } from '../../domain/secret.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { DRIVER_RECORD_KINDS } from '../../domain/vocabulary.ts';
import type { Session } from '../session.ts';

/** Rows of one table, and the cursor of the last of them; none at the end. */
interface Part {
  readonly rows: readonly SealedRow[];
  readonly next: string | undefined;
}

type Table = (session: Session, after: string, limit: number) => Promise<Part>;

const partOf = <Row>(
  rows: readonly Row[],
  toSealed: (row: Row) => SealedRow,
  cursor: (row: Row) => string,
) => {
  const last = rows.at(-1);
  return { rows: rows.map(toSealed), next: last && cursor(last) };
};

type SealedOptions = DriverRecord['sealedOptions'];

const valuesOf = (
  kind: DriverRecordKind,
  { name, sealedOptions }: Pick<DriverRecord, 'name' | 'sealedOptions'>,
) =>
  Object.entries(sealedOptions).map(([option, sealed]) => ({
    sealed,
    place: optionPlace(kind, name, option),
  }));

/** The options with other values, which are taken from the front of the list. */
const renewed = (options: SealedOptions, values: Sealed[]): SealedOptions =>
  Object.fromEntries(Object.entries(options).map(([option, sealed]) => [option, values.shift() ?? sealed]));

const hostAccess: Table = async ({ db }, after, limit) => {
  const rows = await db
    .selectFrom('host_access')
    .select(['host', 'ssh_priv_key'])
    .where('host', '>', after as Address)
    .orderBy('host')
    .limit(limit)
    .execute();
  return partOf(
    rows,
    ({ host, ssh_priv_key }) => ({
      values: [{ sealed: ssh_priv_key, place: hostKeyPlace(host) }],
      replace: async ([sealed = ssh_priv_key]) => {
        await db
          .updateTable('host_access')
          .set({ ssh_priv_key: sealed })
          .where('host', '=', host)
          .where('ssh_priv_key', '=', ssh_priv_key)
          .execute();
      },
    }),
    row => row.host,
  );
};

const driverRecords =
  (kind: DriverRecordKind): Table =>
  async ({ db }, after, limit) => {
    const rows = await db
      .selectFrom('driver_records')
      .select(['name', 'sealed_options_json'])
      .where('kind', '=', kind)
      .where('name', '>', after as RecordName)
      .orderBy('name')
      .limit(limit)
      .execute();
    return partOf(
      rows,
      ({ name, sealed_options_json }) => {
        const sealedOptions: SealedOptions = JSON.parse(sealed_options_json);
        return {
          values: valuesOf(kind, { name, sealedOptions }),
          replace: async values => {
            await db
              .updateTable('driver_records')
              .set({ sealed_options_json: JSON.stringify(renewed(sealedOptions, [...values])) })
              .where('kind', '=', kind)
              .where('name', '=', name)
              .where('sealed_options_json', '=', sealed_options_json)
              .execute();
          },
        };
      },
      row => row.name,
    );
  };

/** Work to leave a cluster carries the records of its network and container manager as they were. */
const work: Table = async ({ db }, after, limit) => {
  const rows = await db
    .selectFrom('work')
    .select(['id', 'details_json'])
    .where('kind', '=', 'leave')
    .where('id', '>', Number(after))
    .orderBy('id')
    .limit(limit)
    .execute();
  return partOf(
    rows,
    ({ id, details_json }) => {
      const details: Record<string, unknown> & {
        network: DriverRecord | null;
        containerManager: DriverRecord | null;
      } = JSON.parse(details_json);
      const { network, containerManager } = details;
      return {
        values: [
          ...(network ? valuesOf('network', network) : []),
          ...(containerManager ? valuesOf('container_manager', containerManager) : []),
        ],
        replace: async values => {
          const left = [...values];
          const anew = (record: DriverRecord | null) =>
            record && { ...record, sealedOptions: renewed(record.sealedOptions, left) };
          const json = JSON.stringify({
            ...details,
            network: anew(network),
            containerManager: anew(containerManager),
          });
          await db
            .updateTable('work')
            .set({ details_json: json })
            .where('id', '=', id)
            .where('details_json', '=', details_json)
            .execute();
        },
      };
    },
    row => String(row.id),
  );
};

const identity: Table = async ({ db }, after) => {
  const rows = after === '' ? await db.selectFrom('service_identity').select('private_key').execute() : [];
  return partOf(
    rows,
    ({ private_key }) => ({
      values: [{ sealed: private_key, place: identityPlace }],
      replace: async ([sealed = private_key]) => {
        await db
          .updateTable('service_identity')
          .set({ private_key: sealed })
          .where('private_key', '=', private_key)
          .execute();
      },
    }),
    () => 'done',
  );
};

const TABLES: readonly Table[] = [hostAccess, ...DRIVER_RECORD_KINDS.map(driverRecords), work, identity];

/** Where a walk through all sealed rows stands. */
export interface SealedRowsCursor {
  readonly table: number;
  readonly after: string;
}

export class SealedRowRepository {
  readonly #session: Session;

  constructor(session: Session) {
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
