import { existsSync } from 'node:fs';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { describeViolation } from '../../events/hash-chain.ts';
import { verifyLatest } from '../../events/verify-log.ts';
import { errorMessage, OperatorError } from '../../lib/errors.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { LATEST_MIGRATION, SchemaOutdatedError } from '../../store/migrate.ts';
import type { PostgresProperties } from '../../store/postgres/inspect-postgres.ts';
import { findIncompatibilities, inspectPostgres } from '../../store/postgres/inspect-postgres.ts';
import { quickCheck } from '../../store/sqlite/inspect-sqlite.ts';
import { storeFilePath } from '../../store/sqlite/open-sqlite.ts';
import { formatFileSize } from '../process.ts';
import { loadLogKey } from '../secret-keys.ts';
import { checkDataFolder } from '../wiring/open-store.ts';
import type { CheckContext, DoctorCheck, Finding } from './check.ts';
import { failure, ok, StoreOpenError, warning } from './check.ts';

/** In addition to limit_store_connections: one for notifications, one during the start. */
const EXTRA_CONNECTIONS = 2;

function explainOpenError(error: unknown): Finding {
  const cause = error instanceof StoreOpenError ? error.cause : error;
  if (cause instanceof SchemaOutdatedError)
    return warning('the store is empty or has an older schema; the next start migrates it');
  if (cause instanceof OperatorError) return failure(cause.message);
  const reason = cause instanceof StoreUnavailableError ? cause.cause : cause;
  return failure(
    `cannot open the store: ${sanitizeLine(errorMessage(reason))}; if it is corrupt, see docs/admin/backup-and-restore.md`,
  );
}

async function checkOpens({ store }: CheckContext): Promise<Finding | undefined> {
  try {
    await store();
    return undefined;
  } catch (error) {
    return explainOpenError(error);
  }
}

async function checkSqlite(context: CheckContext): Promise<Finding> {
  const { data } = context.config;
  if (checkDataFolder(data) !== undefined) return warning('skipped: the data directory is not usable');
  const file = storeFilePath(data);
  if (!existsSync(file)) return ok(`${file} does not exist yet; the first start creates it`);
  const openFinding = await checkOpens(context);
  if (openFinding) return openFinding;
  const corruption = quickCheck(file);
  if (corruption !== undefined)
    return failure(
      `${file} is corrupt (${sanitizeLine(corruption)}); stop the server and restore a backup: hostler restore`,
    );
  return ok(`${file} (${formatFileSize(file)}) is intact, schema ${LATEST_MIGRATION}`);
}

function checkPostgresServer(facts: PostgresProperties, connections: number): Finding[] {
  const { isStandby, maxConnections } = facts;
  const needed = connections + EXTRA_CONNECTIONS;
  return [
    ...findIncompatibilities(facts),
    ...(isStandby ? ['PostgreSQL is a read-only standby; set store to the primary server'] : []),
    ...(maxConnections < needed
      ? [
          `PostgreSQL allows ${maxConnections} connections, but this server can need ${needed}; raise max_connections, or lower limit_store_connections`,
        ]
      : []),
  ].map(failure);
}

async function checkConnectionBudget(
  { store, config }: CheckContext,
  { maxConnections }: PostgresProperties,
): Promise<Finding[]> {
  const servers = (await (await store()).reads.servers.listBootIds()).length;
  const needed = servers * (config.limit_store_connections + EXTRA_CONNECTIONS);
  return needed > maxConnections
    ? [
        warning(
          `${servers} servers can need ${needed} connections, but PostgreSQL allows ${maxConnections}; raise max_connections`,
        ),
      ]
    : [];
}

async function checkPostgres(context: CheckContext, url: string): Promise<Finding | Finding[]> {
  let facts: PostgresProperties;
  try {
    facts = await inspectPostgres(url);
  } catch (error) {
    return failure(`cannot connect to PostgreSQL: ${sanitizeLine(errorMessage(error))}; check the setting store`);
  }
  const serverFindings = checkPostgresServer(facts, context.config.limit_store_connections);
  const openFinding = await checkOpens(context);
  if (serverFindings.length > 0 || openFinding) return [...serverFindings, ...(openFinding ? [openFinding] : [])];
  const budgetFindings = await checkConnectionBudget(context, facts);
  return budgetFindings.length > 0
    ? budgetFindings
    : ok(`PostgreSQL ${facts.version}, up to ${facts.maxConnections} connections, schema ${LATEST_MIGRATION}`);
}

export const storeCheck: DoctorCheck = {
  name: 'store',
  requiredSettings: ['store', 'data', 'limit_store_connections'],
  run: async context => {
    const { store } = context.config;
    return store.kind === 'postgres' ? checkPostgres(context, store.url) : checkSqlite(context);
  },
};

const CHECKED_ENTRIES = 1000;

async function checkNewestEntries({ config, store: open }: CheckContext): Promise<Finding> {
  const store = await open();
  const key = await loadLogKey(config, store);
  if (key === undefined) return ok('no audit log yet; the first start creates it');
  const result = await verifyLatest(store, key, CHECKED_ENTRIES);
  if (typeof result === 'number')
    return ok(`the hash chain of the newest ${result === 1 ? 'entry' : `${result} entries`} is valid`);
  return failure(`${describeViolation(result)}; see docs/admin/audit-log.md`);
}

export const logCheck: DoctorCheck = {
  name: 'audit log',
  requiredSettings: ['store', 'data', 'secret_key', 'secret_key_file'],
  run: async context => {
    try {
      return await checkNewestEntries(context);
    } catch (error) {
      // secretKeyCheck reports a missing or wrong key.
      if (error instanceof OperatorError) return warning(`skipped: ${error.message}`);
      throw error;
    }
  },
};
