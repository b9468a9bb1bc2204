import { existsSync, statSync } from 'node:fs';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { isOpenToOthers } from '../../lib/is-open-to-others.ts';
import { openVault } from '../../secrets/keyring.ts';
import { storeFileIn } from '../../store/sqlite/open-sqlite.ts';
import type { Config } from '../configuration/settings.ts';
import { keyFileOf, secretKeyPlace } from '../keys/secret-key.ts';
import type { Check, Finding } from './check.ts';
import { ok, problem, StoreNotOpen, warning } from './check.ts';

/** A store that is not there yet gets its key when it is made. */
function isMadeAtStart(config: Config): boolean {
  const { store, data, secret_key, secret_key_file } = config;
  if (store.kind !== 'sqlite' || secret_key || secret_key_file !== undefined) return false;
  return !existsSync(storeFileIn(data)) && !existsSync(keyFileOf(config));
}

function findLoose(config: Config): Finding[] {
  if (config.secret_key) return [];
  const file = keyFileOf(config);
  return isOpenToOthers(statSync(file))
    ? [warning(`${file} is accessible to other users; run: chmod go= ${file}`)]
    : [];
}

export const secretKeyCheck: Check = {
  name: 'secret key',
  settings: ['store', 'data', 'secret_key', 'secret_key_file'],
  find: async ({ config, store }) => {
    if (isMadeAtStart(config)) return [ok('no secret key yet; the first start creates it')];
    try {
      const place = secretKeyPlace(config, false);
      place.keys();
      const loose = findLoose(config);
      const { dataKeys } = (await store()).reads;
      await openVault(place.keys, dataKeys);
      const where = config.secret_key ? 'the setting secret_key' : keyFileOf(config);
      return loose.length > 0 ? loose : [ok(`${where} can decrypt the store`)];
    } catch (error) {
      if (error instanceof StoreNotOpen)
        return [warning('the key exists, but was not verified because the store cannot be opened')];
      if (error instanceof PlainError) return [problem(error.message)];
      throw error;
    }
  },
};
