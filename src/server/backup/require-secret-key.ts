import { PlainError } from '../../lib/errors/plain-error.ts';
import { openVault, WrongSecretKeyError } from '../../secrets/keyring.ts';
import type { Store } from '../../store/store.ts';
import type { Config } from '../configuration/settings.ts';
import { keyFileOf, secretKeyPlace } from '../keys/secret-key.ts';

/** Throws unless the secret key of the configuration opens the secrets of a store that comes from a backup. */
export async function requireSecretKey(config: Config, store: Store): Promise<void> {
  const { dataKeys } = store.reads;
  if ((await dataKeys.all()).length === 0) return;
  try {
    await openVault(secretKeyPlace(config, false).keys, dataKeys);
  } catch (error) {
    if (!(error instanceof WrongSecretKeyError)) throw error;
    const place = config.secret_key ? 'the setting secret_key, after the newer one' : keyFileOf(config);
    throw new PlainError(
      `the secret key cannot decrypt this backup; put the key that was in use at the time of the backup into ${place}. Nothing was changed`,
    );
  }
}
