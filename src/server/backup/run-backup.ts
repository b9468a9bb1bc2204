import { existsSync } from 'node:fs';
import { messageOf } from '../../lib/errors/message-of.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { plural } from '../../lib/text/plural.ts';
import { copyStore } from '../../store/sqlite/copy-store.ts';
import type { StoreContents } from '../../store/sqlite/examine-store.ts';
import { examineStore } from '../../store/sqlite/examine-store.ts';
import { noStoreText, storeFileIn } from '../../store/sqlite/open-sqlite.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import type { Config } from '../configuration/settings.ts';
import { keyFileOf } from '../keys/secret-key.ts';
import { say } from '../say.ts';
import { sizeOfFile } from '../size-of-file.ts';
import { openBackupFile } from './backup-file.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Progress of what takes longer than this is told, and again after as long. */
const TELL_EVERY_MS = 2000;

function progress(): (part: number) => void {
  let toldAtMs = performance.now();
  return part => {
    if (performance.now() - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = performance.now();
    say(`  ${Math.floor(part * 100)} % copied …`);
  };
}

function storeOf({ store, data }: Config): string {
  if (store.kind === 'postgres')
    throw new PlainError(
      'the store is a PostgreSQL database; back it up with PostgreSQL tools such as pg_dump (see docs/admin/backup-and-restore.md)',
    );
  const file = storeFileIn(data);
  if (!existsSync(file)) throw new PlainError(noStoreText(data));
  return file;
}

function report(config: Config, { file, hosts, clusters }: StoreContents & { readonly file: string }): void {
  say(
    `Saved ${plural(hosts, 'host')} and ${plural(clusters, 'cluster')} to ${file} (${sizeOfFile(file)}) and verified the file.`,
  );
  const place = config.secret_key ? 'in the setting secret_key' : `in ${keyFileOf(config)}`;
  say(`The backup does not contain the secret key. The key is ${place}; keep a copy of it elsewhere.`);
  say('Without the key, the private keys and other secrets in the backup cannot be decrypted.');
}

/** `hostler backup`: a copy of the embedded store that is whole and checked, whether the service is running or not. */
export async function runBackup(
  sources: ConfigSources,
  wish: { readonly file: string; readonly isForced: boolean },
): Promise<void> {
  const config = loadConfig(sources);
  const store = storeOf(config);
  const backup = openBackupFile(wish, config);
  const stop = () => {
    backup.discard();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await copyStore(store, backup.partial, progress());
    const contents = examineStore(backup.partial, 'the copy');
    backup.publish();
    report(config, { ...contents, file: wish.file });
  } catch (error) {
    backup.discard();
    throw error instanceof PlainError ? error : new PlainError(`the backup failed: ${messageOf(error)}`);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}
