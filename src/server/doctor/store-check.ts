import { existsSync } from 'node:fs';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { NEWEST_SCHEMA, OutdatedSchema } from '../../store/migrate.ts';
import type { PostgresFacts } from '../../store/postgres/examine-postgres.ts';
import { examinePostgres, unusable } from '../../store/postgres/examine-postgres.ts';
import { storeFileIn } from '../../store/sqlite/open-sqlite.ts';
import { quickCheck } from '../../store/sqlite/quick-check.ts';
import { dataFolderProblem } from '../parts/data-folder-problem.ts';
import { sizeOfFile } from '../size-of-file.ts';
import type { Check, Finding, Premises } from './check.ts';
import { ok, problem, StoreNotOpen, warning } from './check.ts';

/** Beside those for its work: one for signals, one while it starts. */
const MORE_CONNECTIONS = 2;

/** Why it does not open. */
function findFailure(error: unknown): Finding {
  const cause = error instanceof StoreNotOpen ? error.cause : error;
  if (cause instanceof OutdatedSchema)
    return warning('the store is empty or has an older schema; the next start migrates it');
  if (cause instanceof PlainError) return problem(cause.message);
  const reason = cause instanceof StoreUnavailableError ? cause.cause : cause;
  return problem(
    `cannot open the store: ${harmless(messageOf(reason))}; if it is corrupt, see docs/admin/backup-and-restore.md`,
  );
}

async function findOpen({ store }: Premises): Promise<Finding | undefined> {
  try {
    await store();
    return undefined;
  } catch (error) {
    return findFailure(error);
  }
}

async function findSqlite(premises: Premises): Promise<Finding> {
  const { data } = premises.config;
  if (dataFolderProblem(data) !== undefined) return warning('skipped: the data directory is not usable');
  const file = storeFileIn(data);
  if (!existsSync(file)) return ok(`${file} does not exist yet; the first start creates it`);
  const failure = await findOpen(premises);
  if (failure) return failure;
  const damage = quickCheck(file);
  if (damage !== undefined)
    return problem(
      `${file} is corrupt (${harmless(damage)}); stop the server and restore a backup: hostler restore`,
    );
  return ok(`${file} (${sizeOfFile(file)}) is intact, schema ${NEWEST_SCHEMA}`);
}

function findUnusable(facts: PostgresFacts, connections: number): Finding[] {
  const { isStandby, maxConnections } = facts;
  const needed = connections + MORE_CONNECTIONS;
  return [
    ...unusable(facts),
    ...(isStandby ? ['PostgreSQL is a read-only standby; set store to the primary server'] : []),
    ...(maxConnections < needed
      ? [
          `PostgreSQL allows ${maxConnections} connections, but this server can need ${needed}; raise max_connections, or lower limit_store_connections`,
        ]
      : []),
  ].map(problem);
}

/** What all servers that are at work may need together. */
async function findShared(
  { store, config }: Premises,
  { maxConnections }: PostgresFacts,
): Promise<Finding[]> {
  const servers = (await (await store()).reads.servers.bootIds()).length;
  const needed = servers * (config.limit_store_connections + MORE_CONNECTIONS);
  return needed > maxConnections
    ? [
        warning(
          `${servers} servers can need ${needed} connections, but PostgreSQL allows ${maxConnections}; raise max_connections`,
        ),
      ]
    : [];
}

async function findPostgres(premises: Premises, url: string): Promise<Finding[]> {
  let facts: PostgresFacts;
  try {
    facts = await examinePostgres(url);
  } catch (error) {
    return [problem(`cannot connect to PostgreSQL: ${harmless(messageOf(error))}; check the setting store`)];
  }
  const unusable = findUnusable(facts, premises.config.limit_store_connections);
  const failure = await findOpen(premises);
  if (unusable.length > 0 || failure) return [...unusable, ...(failure ? [failure] : [])];
  const shared = await findShared(premises, facts);
  return shared.length > 0
    ? shared
    : [ok(`PostgreSQL ${facts.version}, up to ${facts.maxConnections} connections, schema ${NEWEST_SCHEMA}`)];
}

export const storeCheck: Check = {
  name: 'store',
  settings: ['store', 'data', 'limit_store_connections'],
  find: async premises => {
    const { store } = premises.config;
    return store.kind === 'postgres' ? findPostgres(premises, store.url) : [await findSqlite(premises)];
  },
};
