import { PlainError } from '../../lib/errors/plain-error.ts';
import { openPostgres } from '../../store/postgres/open-postgres.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import { say } from '../say.ts';
import { requireSecretKey } from './require-secret-key.ts';
import { makeStoreSafe, tellMadeSafe } from './tell-made-safe.ts';

/** `hostler admin after-restore`: for a PostgreSQL that was restored by its own tools, before servers start on it. */
export async function runAfterRestore(sources: ConfigSources): Promise<void> {
  const config = loadConfig(sources);
  if (config.store.kind !== 'postgres')
    throw new PlainError(
      'this command is only for PostgreSQL; hostler restore does the same for the embedded store',
    );
  // The backup may be of an older version: its schema is brought up to date first.
  const store = await openPostgres(config.store.url, {
    directUrl: config.store_direct,
    connections: config.limit_store_connections,
    tell: say,
  });
  try {
    await requireSecretKey(config, store);
    tellMadeSafe(await makeStoreSafe(config, store));
  } finally {
    await store.close();
  }
}
