import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../domain/accounts/account.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { DEFAULT_NETWORK } from '../../domain/record-name.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/random.ts';
import { openOptions, sealOptions } from '../../secrets/sealed-options.ts';
import type { Ports } from '../ports.ts';
import type { ExpectedRevision, PutResult } from '../unit-of-work.ts';
import { checkRevision, differentContent, runUnitOfWork } from '../unit-of-work.ts';
import type { AnyDriver, DriverOptions } from './driver-options.ts';
import { isSecretOption, validateDriverOptions } from './driver-options.ts';
import type { DriverRecordDetails } from './read-driver-records.ts';
import { describeRecord, recordInUse, toDriverRecordDetails } from './read-driver-records.ts';

interface DriverRecordContent {
  readonly type: string;
  readonly options: DriverOptions;
}

/** The option that would make the record refer to a different server or network, or `type`. */
function findImmutableChange(
  { type, immutableOptions = {} }: AnyDriver,
  current: DriverRecordContent,
  desired: DriverOptions,
): string | undefined {
  if (current.type !== type) return 'type';
  const optionValue = (options: DriverOptions, option: string) => options[option] ?? immutableOptions[option];
  return Object.keys(immutableOptions).find(
    option => !isDeepStrictEqual(optionValue(current.options, option), optionValue(desired, option)),
  );
}

export interface DriverRecordRequest {
  readonly name: RecordName;
  readonly type: string;
  readonly options: DriverOptions;
  readonly expected: ExpectedRevision | undefined;
}

/** Creates a network or container manager, accepts an identical one, or replaces the expected revision. */
export async function putDriverRecord(
  ports: Ports,
  kind: DriverRecordKind,
  actor: Actor,
  { name, type, options, expected }: DriverRecordRequest,
): Promise<PutResult<DriverRecordDetails> | AppError> {
  const { vault, drivers } = ports;
  const driver = validateDriverOptions(drivers, kind, type, options);
  if (driver instanceof AppError) return driver;

  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const sealingContext = { vault, keys: records.dataKeys, kind };
    const toDetails = (record: DriverRecord) => toDriverRecordDetails(actor, sealingContext, record);
    const sealed = await sealOptions(sealingContext, name, options, option => isSecretOption(driver, option));
    const desired: DriverRecord = { name, type, ...sealed, revision: newId() };
    const current = expected
      ? await records.driverRecords.lock(kind, name)
      : await records.driverRecords.insertOrLock(kind, desired);
    const error = checkRevision(expected, current);
    if (error) return error;
    const eventFields = { subject: name, data: { type } };
    if (current === undefined) {
      await emit({ type: `${kind}.created`, ...eventFields });
      return { record: await toDetails(desired), isNew: true };
    }
    const previous = { type: current.type, options: await openOptions(sealingContext, current) };
    if (isDeepStrictEqual(previous, { type, options: { ...options } }))
      return { record: await toDetails(current), isNew: false };
    if (expected === undefined) return differentContent(describeRecord(kind, name));
    const changedField = findImmutableChange(driver, previous, options);
    const users = changedField === undefined ? [] : await records.clusters.findUsing(kind, name);
    if (users.length > 0) {
      const effect = `, so its ${changedField} cannot change; create another record and assign it to the cluster`;
      return recordInUse(kind, name, { users, effect });
    }
    await records.driverRecords.update(kind, desired);
    await emit({ type: `${kind}.changed`, ...eventFields });
    return { record: await toDetails(desired), isNew: false };
  });
}

export const driverMemoryScope = (kind: DriverRecordKind, name: RecordName): string => `${kind}/${name}`;

/** Succeeds if the record does not exist. */
export async function removeDriverRecord(
  ports: Ports,
  kind: DriverRecordKind,
  actor: Actor,
  { name, expected }: { name: RecordName; expected: ExpectedRevision | undefined },
): Promise<undefined | AppError> {
  if (kind === 'network' && name === DEFAULT_NETWORK) {
    return new AppError('built_in', `the network ${name} is built in and cannot be removed`);
  }
  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const current = await records.driverRecords.lock(kind, name);
    const error = checkRevision(expected, current);
    if (error || current === undefined) return error;
    const users = await records.clusters.findUsing(kind, name);
    if (users.length > 0)
      return recordInUse(kind, name, {
        users,
        effect: `; change or remove ${users.length === 1 ? 'this cluster' : 'these clusters'} first`,
      });
    await records.driverRecords.remove(kind, name);
    await records.driverMemory.deleteScope(driverMemoryScope(kind, name));
    await emit({ type: `${kind}.removed`, subject: name });
    return undefined;
  });
}
