import { rotateKeys } from '../../app/keys/rotate-keys.ts';
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
        say(isResumed ? 'Going on with a rotation that was cut off …' : 'There is a new data key …');
      },
      progressed: sealed => {
        rows = sealed;
        if (rows < told + 1000) return;
        told = rows;
        say(`  ${rows} records encrypted anew …`);
      },
    });
    say(
      `Done: ${rows === 1 ? '1 record is' : `${rows} records are`} encrypted anew, and nothing needs the old keys any more.`,
    );
    say(
      'howToAdd' in place
        ? 'Keep the first secret key, and take the others out of the settings or the key file of every server.'
        : `The secret key is in ${keyFileOf(config)}: keep a copy of it elsewhere. The old one is kept as ${oldKeyFiles(keyFileOf(config)).at(-1)}: backups made before now need it; remove it together with the last of them.`,
    );
    if (wasResumed)
      say('This was the rotation that was cut off. For keys that are newer than that, run it again.');
  } finally {
    await store.close();
  }
}
