import { rotateKeys } from '../../app/keys/rotate-keys.ts';
import { plural } from '../../lib/text/plural.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openVault } from '../../secrets/keyring.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import { visitStore } from '../parts/open-store.ts';
import { say } from '../say.ts';
import { keyFileOf, oldKeyFiles, secretKeyPlace } from './secret-key.ts';

/** `hostler secrets rotate`: another secret key and another data key, whether the service is running or not. */
export async function runRotation(sources: ConfigSources): Promise<void> {
  const config = loadConfig(sources);
  const store = await visitStore(config);
  try {
    const place = secretKeyPlace(config, false);
    const vault = await openVault(place.keys, store.reads.dataKeys);
    let [rows, told, wasResumed] = [0, 0, false];
    await rotateKeys({ store, clock: systemClock, vault }, place, {
      began: isResumed => {
        wasResumed = isResumed;
        say(isResumed ? 'Resuming an interrupted rotation …' : 'Created a new data key …');
      },
      progressed: sealed => {
        rows = sealed;
        if (rows < told + 1000) return;
        told = rows;
        say(`  ${rows} records re-encrypted …`);
      },
    });
    say(`Done: ${plural(rows, 'record')} re-encrypted. The store no longer needs the old keys.`);
    say(
      'howToAdd' in place
        ? 'Keep the first secret key, and remove the others from the settings or the key file of every server.'
        : `The secret key is in ${keyFileOf(config)}; keep a copy of it elsewhere. The old key is in ${oldKeyFiles(keyFileOf(config)).at(-1)}; earlier backups need it, so keep it as long as you keep them.`,
    );
    if (wasResumed)
      say('This completed the interrupted rotation. To rotate the keys again, run the command again.');
  } finally {
    await store.close();
  }
}
