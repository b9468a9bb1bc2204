import { rotateKeys } from '../../app/rotate-keys.ts';
import { formatCount } from '../../lib/text.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openVault } from '../../secrets/keyring.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import { createProgressPrinter, printLine } from '../process.ts';
import { getKeyFile, listArchivedKeyFiles, resolveSecretKeySource } from '../secret-keys.ts';
import { attachStore } from '../wiring/open-store.ts';

/** `hostler secrets rotate`: creates a new secret key and a new data key. The server can keep running. */
export async function rotateSecretKeys(sources: ConfigSources): Promise<void> {
  const config = loadConfig(sources);
  const store = await attachStore(config);
  try {
    const keySource = resolveSecretKeySource(config, false);
    const vault = await openVault(keySource.keys, store.reads.dataKeys);
    let [rows, wasResumed] = [0, false];
    const printProgress = createProgressPrinter(count => `${count} records re-encrypted`);
    await rotateKeys({ store, clock: systemClock, vault }, keySource, {
      onStart: isResumed => {
        wasResumed = isResumed;
        printLine(isResumed ? 'Resuming an interrupted rotation …' : 'Created a new data key …');
      },
      onProgress: sealed => {
        rows = sealed;
        printProgress(rows);
      },
    });
    printLine(`Done: ${formatCount(rows, 'record')} re-encrypted. The store no longer needs the old keys.`);
    printLine(
      'manualInstructions' in keySource
        ? 'Keep the first secret key, and remove the others from the settings or the key file of every server.'
        : `The secret key is in ${getKeyFile(config)}; keep a copy of it elsewhere. The old key is in ${listArchivedKeyFiles(getKeyFile(config)).at(-1)}; earlier backups need it, so keep it as long as you keep them.`,
    );
    if (wasResumed)
      printLine('This completed the interrupted rotation. To rotate the keys again, run the command again.');
  } finally {
    await store.close();
  }
}
