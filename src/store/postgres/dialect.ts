import type { DatabaseConnection, Driver } from 'kysely';
import { PostgresDialect, PostgresDriver } from 'kysely';
import { StoreUnavailable } from '../../domain/errors.ts';
import { isUnavailable } from './failures.ts';

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailable(error) : error;
  }
}

/** Kysely's driver, whose failures say `StoreUnavailable` when it is PostgreSQL, or the way to it, that failed. */
class TellingDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await orUnavailable(super.acquireConnection());
    if (this.#known.has(connection)) return connection;
    this.#known.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (...query) => orUnavailable(execute(...query));
    return connection;
  }
}

export class PostgresDialectWithFailures extends PostgresDialect {
  readonly #config: ConstructorParameters<typeof PostgresDialect>[0];

  constructor(config: ConstructorParameters<typeof PostgresDialect>[0]) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new TellingDriver(this.#config);
  }
}
