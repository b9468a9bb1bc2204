import type { RestoreReport } from '../../app/prepare-restored-store.ts';
import { prepareRestoredStore } from '../../app/prepare-restored-store.ts';
import { AppError } from '../../domain/errors.ts';
import { utcTime } from '../../domain/timestamp.ts';
import { describeViolation } from '../../events/hash-chain.ts';
import { verifyLog } from '../../events/verify-log.ts';
import { OperatorError } from '../../lib/errors.ts';
import { listSome } from '../../lib/text.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openVault, WrongSecretKeyError } from '../../secrets/keyring.ts';
import { openPostgres } from '../../store/postgres/open-postgres.ts';
import type { Store } from '../../store/store.ts';
import { createVerifyProgress, describeVerifiedLog } from '../admin/verify-audit-log.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import type { Config } from '../configuration/settings.ts';
import { printLine } from '../process.ts';
import { getKeyFile, loadLogKey, resolveSecretKeySource } from '../secret-keys.ts';

/** Throws unless the configured secret key decrypts the data keys of the restored store. */
export async function assertSecretKey(config: Config, store: Store): Promise<void> {
  const { dataKeys } = store.reads;
  if ((await dataKeys.listAll()).length === 0) return;
  try {
    await openVault(resolveSecretKeySource(config, false).keys, dataKeys);
  } catch (error) {
    if (!(error instanceof WrongSecretKeyError)) throw error;
    const keyLocation = config.secret_key ? 'the setting secret_key, after the newer one' : getKeyFile(config);
    throw new OperatorError(
      `the secret key cannot decrypt this backup; put the key that was in use at the time of the backup into ${keyLocation}. Nothing was changed`,
    );
  }
}

const EMPTY_LOG = 'The audit log of the backup is empty.';
const formatWarning = (reason: string): string =>
  `Warning: the audit log of this backup failed verification: ${reason}. Other data may have been changed too. Use an earlier backup, or check the accounts and records before you start the server. See docs/admin/audit-log.md.`;

async function describeBackupLog(config: Config, store: Store): Promise<string> {
  if ((await store.reads.logKeys.get()) === undefined) {
    const { lastId } = await store.reads.eventLog.getState();
    return lastId === 0 ? EMPTY_LOG : formatWarning('the signing key of the audit log (table log_keys) is missing');
  }
  const key = await loadLogKey(config, store);
  if (key === undefined) throw new Error('the signing key of the audit log is missing');
  const result = await verifyLog(store, key, { onProgress: createVerifyProgress() });
  if ('kind' in result) return formatWarning(describeViolation(result));
  return result.newest ? `Audit log of the backup: ${describeVerifiedLog(result)}` : EMPTY_LOG;
}

/** An invalid log produces a warning, not an error: it can be the only backup, and the rest of its data can be intact. */
export async function verifyBackupLog(config: Config, store: Store): Promise<string> {
  try {
    return await describeBackupLog(config, store);
  } catch (error) {
    if (error instanceof OperatorError) return formatWarning(error.message);
    throw error;
  }
}

/** Spreads the first health checks, so that a large fleet is not checked all at once. */
const MAX_CHECK_SPREAD_MS = 60_000;

export async function sanitizeStore(
  config: Config,
  store: Store,
): Promise<RestoreReport & { auditLogSummary: string }> {
  const auditLogSummary = await verifyBackupLog(config, store);
  const checkWithinMs = Math.min(MAX_CHECK_SPREAD_MS, config.check_interval_s * 1000);
  const result = await prepareRestoredStore({ store, clock: systemClock }, { checkWithinMs });
  if (result instanceof AppError) throw new OperatorError(result.detail);
  return { ...result, auditLogSummary };
}

export function printRestoreReport(report: RestoreReport & { auditLogSummary: string }): void {
  const { backupAt, operations, droppedLeaveTasks, auditLogSummary } = report;
  printLine(backupAt === '' ? 'The backup is empty.' : `The backup contains the state of ${utcTime(backupAt)}.`);
  for (const { id, kind, cluster, failedHosts } of operations)
    printLine(
      `  ${kind} ${id} of ${cluster} is paused${failedHosts.length > 0 ? `; failed hosts: ${listSome(failedHosts)}` : ''}.`,
    );
  if (operations.length > 0)
    printLine(
      'Changes since the backup are unknown. Check the hosts, retry or skip them, then resume or cancel the operations.',
    );
  if (droppedLeaveTasks.length > 0)
    printLine(
      `Pending cleanup was dropped because these hosts may be cluster members again: ${listSome(droppedLeaveTasks)}. See docs/admin/backup-and-restore.md.`,
    );
  printLine('The server checks all hosts when it starts.');
  printLine(auditLogSummary);
}

/** `hostler admin after-restore`: for a database that PostgreSQL tools restored, before any server starts. */
export async function runAfterRestore(sources: ConfigSources): Promise<void> {
  const config = loadConfig(sources);
  if (config.store.kind !== 'postgres')
    throw new OperatorError(
      'this command is only for PostgreSQL; hostler restore does the same for the embedded store',
    );
  // Migrates the schema, because the backup can come from an older version.
  const store = await openPostgres(config.store.url, {
    directUrl: config.store_direct,
    connections: config.limit_store_connections,
    onWarning: printLine,
  });
  try {
    await assertSecretKey(config, store);
    printRestoreReport(await sanitizeStore(config, store));
  } finally {
    await store.close();
  }
}
