import { existsSync, realpathSync, statSync } from 'node:fs';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { plural } from '../../lib/text/plural.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { UnknownSchema } from '../../store/migrate.ts';
import { examineStore } from '../../store/sqlite/examine-store.ts';
import { openSqlite, storeFileIn } from '../../store/sqlite/open-sqlite.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import type { Config } from '../configuration/settings.ts';
import { takeDataFolder } from '../parts/open-store.ts';
import { say } from '../say.ts';
import { requireSecretKey } from './require-secret-key.ts';
import { stageBackup } from './stage-backup.ts';
import { makeStoreSafe, tellMadeSafe } from './tell-made-safe.ts';

interface Wish {
  readonly file: string;
  /** Whether a store that is there may be moved aside. */
  readonly isReplacing: boolean;
}

function requireBackup({ file }: Wish, { data }: Config): void {
  const found = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new PlainError(`the file ${file} does not exist`);
  if (!found.isFile()) throw new PlainError(`${file} is not a regular file`);
  const store = storeFileIn(data);
  if (existsSync(store) && realpathSync(file) === realpathSync(store))
    throw new PlainError(`${file} is the current store, not a backup`);
}

function requirePlace({ isReplacing }: Wish, { data }: Config): void {
  if (existsSync(storeFileIn(data)) && !isReplacing)
    throw new PlainError(
      `${data} already contains a store; use --replace to rename it and restore the backup`,
    );
}

/** Brings the backup up to date and makes it safe, while it is no store yet. */
async function prepare(config: Config, folder: string, file: string) {
  const store = await openSqlite(folder).catch((error: unknown) => {
    // Another file may do: nothing about the settings is wrong.
    throw error instanceof UnknownSchema
      ? new PlainError(
          `${file}: ${error.reason}; restore it with the version of Hostler that made the backup`,
        )
      : error;
  });
  try {
    await requireSecretKey(config, store);
    return await makeStoreSafe(config, store);
  } finally {
    await store.close();
  }
}

async function restoreLocked(config: Config, wish: Wish): Promise<void> {
  requirePlace(wish, config);
  const { folder, takePlace, discard } = stageBackup(config.data, wish.file);
  try {
    say(`Checking ${wish.file} …`);
    const { hosts, clusters } = examineStore(storeFileIn(folder), wish.file);
    const made = await prepare(config, folder, wish.file);
    const aside = takePlace(systemClock.now());
    say(`Restored: ${plural(hosts, 'host')}, ${plural(clusters, 'cluster')}.`);
    if (aside !== undefined) say(`The previous store was renamed to ${aside}.`);
    tellMadeSafe(made);
  } finally {
    discard();
  }
}

/** `hostler restore`: the embedded store from a backup, made safe before anything runs on it. */
export async function runRestore(sources: ConfigSources, wish: Wish): Promise<void> {
  const config = loadConfig(sources);
  if (config.store.kind === 'postgres')
    throw new PlainError(
      'the store is a PostgreSQL database; restore it with PostgreSQL tools, then run hostler admin after-restore (see docs/admin/backup-and-restore.md)',
    );
  requireBackup(wish, config);
  const unlock = takeDataFolder(config.data);
  try {
    await restoreLocked(config, wish);
  } finally {
    unlock();
  }
}
