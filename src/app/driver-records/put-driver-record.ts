import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../domain/actor.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DriverKind } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/new-id.ts';
import type { Records } from '../../store/records.ts';
import type { IfMatch } from '../if-match.ts';
import { preconditionProblem } from '../if-match.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { tell } from '../tell.ts';
import type { Options } from './options.ts';
import { checkedDriver, openOptions, sealOptions } from './options.ts';
import type { ReadableDriverRecord } from './read-driver-records.ts';
import { readableBy } from './read-driver-records.ts';

export interface DriverRecordRequest {
  readonly name: RecordName;
  readonly type: string;
  readonly options: Options;
  readonly ifMatch: IfMatch | undefined;
}

/** Creates a network or container manager, finds it there as it shall be, or replaces the one that `ifMatch` names. */
export async function putDriverRecord(
  ports: Ports,
  kind: DriverKind,
  actor: Actor,
  request: DriverRecordRequest,
): Promise<PutResult<ReadableDriverRecord> | Refusal> {
  const { store, clock, vault, drivers } = ports;
  const driver = checkedDriver(drivers, kind, request.type, request.options);
  if (driver instanceof Refusal) return driver;
  const readable = (record: DriverRecord) => readableBy(actor, vault, kind, record);
  const isSame = (record: DriverRecord) =>
    record.type === request.type &&
    isDeepStrictEqual(openOptions(vault, kind, record), { ...request.options });

  return store.transaction(async records => {
    const wanted: DriverRecord = {
      name: request.name,
      type: request.type,
      ...sealOptions(vault, kind, request.name, driver, request.options),
      revision: newId(),
    };
    const current = await lockOrInsert(records, kind, wanted, request.ifMatch);
    if (current instanceof Refusal) return current;
    const happened = { subject: request.name, data: { type: request.type } };
    if (current === undefined) {
      await tell(records, clock, actor, [{ type: `${kind}.created`, ...happened }]);
      return { record: readable(wanted), isNew: true };
    }
    if (isSame(current)) return { record: readable(current), isNew: false };
    if (request.ifMatch === undefined) {
      return new Refusal(
        'conflict',
        `${request.name} exists with other content; to replace it, send If-Match with the ETag of a GET`,
      );
    }
    await records.driverRecords.update(kind, wanted);
    await tell(records, clock, actor, [{ type: `${kind}.changed`, ...happened }]);
    return { record: readable(wanted), isNew: false };
  });
}

/** The record that is there, locked; `undefined` when it was not there and the wanted one now is. */
async function lockOrInsert(
  records: Records,
  kind: DriverKind,
  wanted: DriverRecord,
  ifMatch: IfMatch | undefined,
): Promise<DriverRecord | Refusal | undefined> {
  const find = () => records.driverRecords.lock(kind, wanted.name);
  const current = await find();
  const problem = preconditionProblem(ifMatch, current);
  if (problem) return problem;
  if (current) return current;
  // Another server may have made it since we looked; then it is there now.
  return (await records.driverRecords.insert(kind, wanted)) ? undefined : find();
}
