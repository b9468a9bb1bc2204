import type { KeyObject } from 'node:crypto';
import { openLogKey } from '../../app/audit/log-key.ts';
import { openVault } from '../../secrets/keyring.ts';
import type { Store } from '../../store/store.ts';
import type { Config } from '../configuration/settings.ts';
import { secretKeyPlace } from './secret-key.ts';

/** The key of the chain of a store's log, by the secret key of the configuration; `undefined`: none was made yet. */
export async function openLogKeyOf(config: Config, store: Store): Promise<KeyObject | undefined> {
  const vault = await openVault(secretKeyPlace(config, false).keys, store.reads.dataKeys);
  return openLogKey({ store, vault });
}
