import type { Actor } from '../../domain/actor.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Vault } from '../../domain/secret.ts';
import type { DriverKind } from '../../domain/vocabulary.ts';
import type { Ports } from '../ports.ts';
import type { Options } from './options.ts';
import { hideOptions, openOptions } from './options.ts';

/** A record as one account may see it. */
export interface ReadableDriverRecord {
  readonly name: RecordName;
  readonly type: string;
  readonly options: Options;
  readonly revision: string;
}

/** Secret options are in clear for `admin` only. */
export const readableBy = (
  actor: Actor,
  vault: Vault,
  kind: DriverKind,
  record: DriverRecord,
): ReadableDriverRecord => ({
  name: record.name,
  type: record.type,
  options: actor.role === 'admin' ? openOptions(vault, kind, record) : hideOptions(record),
  revision: record.revision,
});

export const listDriverRecords = ({ store }: Ports, kind: DriverKind, page: Page<RecordName>) =>
  store.records.driverRecords.names(kind, page);

export async function getDriverRecord(
  { store, vault }: Ports,
  kind: DriverKind,
  actor: Actor,
  name: RecordName,
): Promise<ReadableDriverRecord | Refusal> {
  const record = await store.records.driverRecords.get(kind, name);
  if (record === undefined) return new Refusal('not_found', `there is no ${kind.replace('_', ' ')} ${name}`);
  return readableBy(actor, vault, kind, record);
}
