import type { DriverRecord } from '../../domain/driver-record.ts';
import type { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import type { ConnectionCheck } from '../../drivers/command-plan.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { inTime } from '../../lib/time/sleep.ts';
import type { Ports } from '../ports.ts';
import { unknownRecord } from './read-driver-records.ts';

/** A person waits for the answer; a call to a server that is away gives up before. */
const ANSWER_WITHIN_MS = 20_000;

export interface CheckedRecord extends ConnectionCheck {
  readonly name: RecordName;
  readonly type: string;
}

async function ask(ports: Ports, kind: DriverRecordKind, record: DriverRecord): Promise<ConnectionCheck> {
  if (kind === 'network') return (await ports.openNetwork(record, null)).network.checkConnection();
  return (await ports.openManager(record)).checkConnection();
}

/** Asks the servers that a record describes whether it is right. Nothing is changed, here or there. */
export async function checkDriverRecord(
  ports: Ports,
  kind: DriverRecordKind,
  name: RecordName,
): Promise<CheckedRecord | AppError> {
  const record = await ports.store.reads.driverRecords.get(kind, name);
  if (record === undefined) return unknownRecord(kind, name);
  const common = { name, type: record.type };
  try {
    const report = await inTime(ports.clock, ANSWER_WITHIN_MS, () => ask(ports, kind, record));
    return { ...common, ...report };
  } catch (error) {
    return { ...common, version: '', problems: [messageOf(error)] };
  }
}
