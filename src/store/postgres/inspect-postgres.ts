import pg from 'pg';
import { toConnectionConfig } from './pool.ts';

const QUERY_TIMEOUT_MS = 5000;
const MIN_VERSION = 13;

export interface PostgresProperties {
  /** As PostgreSQL reports it, such as `15.14`. */
  readonly version: string;
  readonly majorVersion: number;
  readonly encoding: string;
  readonly role: string;
  readonly canCreateTables: boolean;
  readonly isStandby: boolean;
  /** For roles without superuser rights, from all servers together. */
  readonly maxConnections: number;
}

const PROPERTIES_SQL = `
  select current_setting('server_version') as version,
    current_setting('server_version_num')::int / 10000 as "majorVersion",
    current_setting('server_encoding') as encoding,
    current_user as role,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canCreateTables",
    pg_is_in_recovery() as "isStandby",
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as server_limit,
    (select rolconnlimit from pg_roles where rolname = current_user) as role_limit,
    (select datconnlimit from pg_database where datname = current_database()) as database_limit`;

/** A negative limit means no limit. */
export interface PropertiesRow extends Omit<PostgresProperties, 'maxConnections'> {
  readonly server_limit: number;
  readonly role_limit: number;
  readonly database_limit: number;
}

export async function readPostgresProperties(
  query: (text: string) => Promise<{ readonly rows: readonly PropertiesRow[] }>,
): Promise<PostgresProperties> {
  const { rows } = await query(PROPERTIES_SQL);
  const [row] = rows;
  if (row === undefined) throw new Error('the query for the version and limits of PostgreSQL returned no row');
  const { server_limit, role_limit, database_limit, ...properties } = row;
  const limits = [server_limit, role_limit, database_limit].filter(limit => limit >= 0);
  return { ...properties, maxConnections: Math.min(...limits) };
}

export async function inspectPostgres(url: string): Promise<PostgresProperties> {
  const client = new pg.Client({
    ...toConnectionConfig(url),
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: 'hostler',
  });
  // The query reports a lost connection.
  client.on('error', () => {});
  await client.connect();
  try {
    return await readPostgresProperties(text => client.query<PropertiesRow>(text));
  } finally {
    await client.end();
  }
}

export function findIncompatibilities({
  version,
  majorVersion,
  encoding,
  role,
  canCreateTables,
}: PostgresProperties): readonly string[] {
  const checks: readonly (readonly [boolean, string])[] = [
    [majorVersion < MIN_VERSION, `PostgreSQL ${MIN_VERSION} or later is required; this is ${version}`],
    [
      encoding !== 'UTF8',
      `the encoding of the database is ${encoding}, but must be UTF8; create another database: create database … encoding 'UTF8' template template0`,
    ],
    [
      !canCreateTables,
      `the role ${role} cannot create tables in this database; make it the owner: alter database … owner to ${role}`,
    ],
  ];
  return checks.filter(([hasFailed]) => hasFailed).map(([, reason]) => reason);
}
