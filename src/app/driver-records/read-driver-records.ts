import type { Actor } from '../../domain/accounts/account.ts';
import { canReadSecrets } from '../../domain/accounts/account.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import { AppError } from '../../domain/errors.ts';
import type { PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DataKeys } from '../../domain/secret.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import type { SealingContext } from '../../secrets/sealed-options.ts';
import { openOptions } from '../../secrets/sealed-options.ts';
import { change } from '../change.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';
import type { Options } from './options.ts';
import { hideOptions } from './options.ts';

/** A record as one account may see it. */
export interface ReadableDriverRecord {
  readonly name: RecordName;
  readonly type: string;
  readonly options: Options;
  readonly revision: string;
}

export const readableBy = async (
  actor: Actor,
  sealing: SealingContext<DataKeys>,
  record: DriverRecord,
): Promise<ReadableDriverRecord> => ({
  name: record.name,
  type: record.type,
  options: canReadSecrets(actor) ? await openOptions(sealing, record) : hideOptions(record),
  revision: record.revision,
});

export const listDriverRecords = ({ store }: Ports, kind: DriverRecordKind, page: PageRequest<RecordName>) =>
  listRecords(
    store,
    page,
    (reads, part) => reads.driverRecords.names(kind, part),
    name => name,
  );

/** A record as the caller may see it. That its secrets were read is on record before they are answered. */
export async function getDriverRecord(
  ports: Ports,
  kind: DriverRecordKind,
  actor: Actor,
  name: RecordName,
): Promise<ReadableDriverRecord | AppError> {
  const { vault, store } = ports;
  const seen = await store.reads.driverRecords.get(kind, name);
  if (seen === undefined) return unknownRecord(kind, name);
  const showsSecrets = canReadSecrets(actor) && Object.keys(seen.sealedOptions).length > 0;
  if (!showsSecrets) return readableBy(actor, { vault, keys: store.reads.dataKeys, kind }, seen);
  return change(ports, actor, async ({ records, tell }) => {
    const record = await records.driverRecords.lock(kind, name);
    if (record === undefined) return unknownRecord(kind, name);
    await tell({ type: `${kind}.secrets_read`, subject: name });
    return readableBy(actor, { vault, keys: records.dataKeys, kind }, record);
  });
}

/** `the container manager kube`. */
export const recordText = (kind: DriverRecordKind, name: RecordName): string =>
  `the ${kind.replace('_', ' ')} ${name}`;

export const unknownRecord = (kind: DriverRecordKind, name: RecordName) =>
  new AppError('not_found', `${recordText(kind, name)} does not exist`);

/** A record that cannot be removed or changed because clusters use it. */
export const recordInUse = (
  kind: DriverRecordKind,
  name: RecordName,
  { users, effect }: { readonly users: readonly RecordName[]; readonly effect: string },
) =>
  new AppError(
    'in_use',
    `${recordText(kind, name)} is used by the cluster${users.length === 1 ? '' : 's'} ${users.join(', ')}${effect}`,
  );
