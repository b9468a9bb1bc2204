import type { Actor } from '../../domain/accounts/account.ts';
import { canReadSecrets } from '../../domain/accounts/account.ts';
import type { DriverRecord } from '../../domain/driver-record.ts';
import { AppError } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { DataKeys } from '../../domain/secret.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import type { ConnectionCheck } from '../../drivers/command-plan.ts';
import { errorMessage } from '../../lib/errors.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import type { SealingContext } from '../../secrets/sealed-options.ts';
import { openOptions } from '../../secrets/sealed-options.ts';
import { listRecords } from '../pagination.ts';
import type { Ports } from '../ports.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { DriverOptions } from './driver-options.ts';
import { redactOptions } from './driver-options.ts';

/** Secrets are redacted unless the caller may read them. */
export interface DriverRecordDetails {
  readonly name: RecordName;
  readonly type: string;
  readonly options: DriverOptions;
  readonly revision: string;
}

export const toDriverRecordDetails = async (
  actor: Actor,
  sealingContext: SealingContext<DataKeys>,
  record: DriverRecord,
): Promise<DriverRecordDetails> => ({
  name: record.name,
  type: record.type,
  options: canReadSecrets(actor) ? await openOptions(sealingContext, record) : redactOptions(record),
  revision: record.revision,
});

export const listDriverRecords = ({ store }: Ports, kind: DriverRecordKind, page: PageRequest<RecordName>) =>
  listRecords(
    store,
    page,
    (reads, batch) => reads.driverRecords.listNames(kind, batch),
    name => name,
  );

/** A list never contains secrets, so that it needs no audit log entry for each record. */
export async function listRedactedRecords(
  { store }: Ports,
  kind: DriverRecordKind,
  page: PageRequest<RecordName>,
): Promise<Page<DriverRecordDetails>> {
  const { items, hasMore } = await listRecords(
    store,
    page,
    (reads, batch) => reads.driverRecords.list(kind, batch),
    ({ name }) => name,
  );
  const redacted = items.map(record => ({
    ...{ name: record.name, type: record.type, revision: record.revision },
    options: redactOptions(record),
  }));
  return { items: redacted, hasMore };
}

/** A read of secrets is audited in the same transaction, before the response. */
export async function getDriverRecord(
  ports: Ports,
  kind: DriverRecordKind,
  actor: Actor,
  name: RecordName,
): Promise<DriverRecordDetails | AppError> {
  const { vault, store } = ports;
  const current = await store.reads.driverRecords.get(kind, name);
  if (current === undefined) return driverRecordNotFound(kind, name);
  const showsSecrets = canReadSecrets(actor) && Object.keys(current.sealedOptions).length > 0;
  if (!showsSecrets) return toDriverRecordDetails(actor, { vault, keys: store.reads.dataKeys, kind }, current);
  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const record = await records.driverRecords.lock(kind, name);
    if (record === undefined) return driverRecordNotFound(kind, name);
    await emit({ type: `${kind}.secrets_read`, subject: name });
    return toDriverRecordDetails(actor, { vault, keys: records.dataKeys, kind }, record);
  });
}

export const describeRecord = (kind: DriverRecordKind, name: RecordName): string =>
  `the ${kind.replace('_', ' ')} ${name}`;

export const driverRecordNotFound = (kind: DriverRecordKind, name: RecordName) =>
  new AppError('not_found', `${describeRecord(kind, name)} does not exist`);

export const recordInUse = (
  kind: DriverRecordKind,
  name: RecordName,
  { users, effect }: { readonly users: readonly RecordName[]; readonly effect: string },
) =>
  new AppError(
    'in_use',
    `${describeRecord(kind, name)} is used by the cluster${users.length === 1 ? '' : 's'} ${users.join(', ')}${effect}`,
  );

/** Short, because a user waits for the response. Connection attempts to an unreachable server time out earlier. */
const CHECK_TIMEOUT_MS = 20_000;

export interface DriverRecordCheck extends ConnectionCheck {
  readonly name: RecordName;
  readonly type: string;
}

async function checkConnection(ports: Ports, kind: DriverRecordKind, record: DriverRecord): Promise<ConnectionCheck> {
  if (kind === 'network') return (await ports.openNetwork(record, null)).checkConnection();
  return (await ports.openManager(record)).checkConnection();
}

export async function checkDriverRecord(
  ports: Ports,
  kind: DriverRecordKind,
  name: RecordName,
): Promise<DriverRecordCheck | AppError> {
  const record = await ports.store.reads.driverRecords.get(kind, name);
  if (record === undefined) return driverRecordNotFound(kind, name);
  const common = { name, type: record.type };
  try {
    const report = await withTimeout(ports.clock, CHECK_TIMEOUT_MS, () => checkConnection(ports, kind, record));
    return { ...common, ...report };
  } catch (error) {
    return { ...common, version: '', problems: [errorMessage(error)] };
  }
}
