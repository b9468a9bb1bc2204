import type { DriverRecord } from '../../../domain/driver-record.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import { optionLocation } from '../../../domain/secret.ts';
import type { DriverRecordKind } from '../../../domain/vocabulary.ts';
import { taskDetailsJson } from '../work/task-json.ts';
import type { Renewed, SealedTable } from './sealed-row.ts';
import { renewedBy, sealedPartOf } from './sealed-row.ts';

type WithOptions = Pick<DriverRecord, 'name' | 'sealedOptions'>;

const valuesOf = (kind: DriverRecordKind, { name, sealedOptions }: WithOptions) =>
  Object.entries(sealedOptions).map(([option, sealed]) => ({
    sealed,
    place: optionLocation(kind, name, option),
  }));

const renewOptions = (options: DriverRecord['sealedOptions'], renewed: Renewed) =>
  Object.fromEntries(Object.entries(options).map(([option, sealed]) => [option, renewedBy(renewed, sealed)]));

/** Networks or container managers. */
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
    return sealedPartOf(
      rows,
      ({ name, sealed_options_json: kept }) => {
        const sealedOptions: DriverRecord['sealedOptions'] = JSON.parse(kept);
        return {
          values: valuesOf(kind, { name, sealedOptions }),
          replace: async renewed => {
            await db
              .updateTable('driver_records')
              .set({ sealed_options_json: JSON.stringify(renewOptions(sealedOptions, renewed)) })
              .where('kind', '=', kind)
              .where('name', '=', name)
              .where('sealed_options_json', '=', kept)
              .execute();
          },
        };
      },
      row => row.name,
    );
  };

const renewRecord = (record: DriverRecord | null, renewed: Renewed) =>
  record && { ...record, sealedOptions: renewOptions(record.sealedOptions, renewed) };

/** Work to leave a cluster carries the records of its network and container manager as they were. */
export const workRows: SealedTable = async ({ db }, after, limit) => {
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'details_json'])
    .where('kind', '=', 'leave')
    .where('id', '>', after === '' ? 0 : Number(after))
    .orderBy('id')
    .limit(limit)
    .execute();
  return sealedPartOf(
    rows,
    ({ id, details_json: kept }) => {
      const details = taskDetailsJson.parse(kept);
      const { network = null, containerManager = null } = details;
      return {
        values: [
          ...(network ? valuesOf('network', network) : []),
          ...(containerManager ? valuesOf('container_manager', containerManager) : []),
        ],
        replace: async renewed => {
          const anew = {
            ...details,
            network: renewRecord(network, renewed),
            containerManager: renewRecord(containerManager, renewed),
          };
          await db
            .updateTable('tasks')
            .set({ details_json: taskDetailsJson.stringify(anew) })
            .where('id', '=', id)
            .where('details_json', '=', kept)
            .execute();
        },
      };
    },
    row => String(row.id),
  );
};
