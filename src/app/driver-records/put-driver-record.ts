import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../domain/accounts/account.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/new-id.ts';
import { openOptions, sealOptions } from '../../secrets/sealed-options.ts';
import { change } from '../change.ts';
import type { ExpectedRevision } from '../expected-revision.ts';
import { differentContent, revisionProblem } from '../expected-revision.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { identityChange } from './identity-change.ts';
import type { Options } from './options.ts';
import { checkedDriver, isSecretOption } from './options.ts';
import type { ReadableDriverRecord } from './read-driver-records.ts';
import { readableBy, recordInUse, recordText } from './read-driver-records.ts';

export interface DriverRecordRequest {
  readonly name: RecordName;
  readonly type: string;
  readonly options: Options;
  readonly expected: ExpectedRevision | undefined;
}

/** Creates a network or container manager, finds it there as it shall be, or replaces the one that is expected. */
export async function putDriverRecord(
  ports: Ports,
  kind: DriverRecordKind,
  actor: Actor,
  { name, type, options, expected }: DriverRecordRequest,
): Promise<PutResult<ReadableDriverRecord> | AppError> {
  const { vault, drivers } = ports;
  const driver = checkedDriver(drivers, kind, type, options);
  if (driver instanceof AppError) return driver;

  return change(ports, actor, async ({ records, tell }) => {
    const sealing = { vault, keys: records.dataKeys, kind };
    const readable = (record: DriverRecord) => readableBy(actor, sealing, record);
    const sealed = await sealOptions(sealing, name, options, option => isSecretOption(driver, option));
    const wanted: DriverRecord = { name, type, ...sealed, revision: newId() };
    const current = expected
      ? await records.driverRecords.lock(kind, name)
      : await records.driverRecords.insertOrLock(kind, wanted);
    const problem = revisionProblem(expected, current);
    if (problem) return problem;
    const happened = { subject: name, data: { type } };
    if (current === undefined) {
      await tell({ type: `${kind}.created`, ...happened });
      return { record: await readable(wanted), isNew: true };
    }
    const before = { type: current.type, options: await openOptions(sealing, current) };
    if (isDeepStrictEqual(before, { type, options: { ...options } }))
      return { record: await readable(current), isNew: false };
    if (expected === undefined) return differentContent(recordText(kind, name));
    const changed = identityChange(driver, before, options);
    const users = changed === undefined ? [] : await records.clusters.someUsing(kind, name);
    if (users.length > 0) {
      const effect = `, so its ${changed} cannot change; create another record and assign it to the cluster`;
      return recordInUse(kind, name, { users, effect });
    }
    await records.driverRecords.update(kind, wanted);
    await tell({ type: `${kind}.changed`, ...happened });
    return { record: await readable(wanted), isNew: false };
  });
}
