import { existsSync, statfsSync } from 'node:fs';
import { openVault } from '../../secrets/keyring.ts';
import { storeFilePath } from '../../store/sqlite/open-sqlite.ts';
import { unknownVariables } from '../configuration/config.ts';
import type { Config } from '../configuration/settings.ts';
import { findExposedFiles, getKeyFile, resolveSecretKeySource } from '../secret-keys.ts';
import { checkDataFolder } from '../wiring/open-store.ts';
import type { CheckContext, DoctorCheck, Finding } from './check.ts';
import { failure, ok, StoreOpenError, warning } from './check.ts';

export const configurationCheck: DoctorCheck = {
  name: 'configuration',
  requiredSettings: [],
  run: async ({ configResult, sources }: CheckContext) => {
    const unknownNames = unknownVariables(sources.environment);
    const findings = [
      ...configResult.errors.map(failure),
      ...unknownNames.map(name => warning(`${name}: unknown setting; see hostler serve --help`)),
    ];
    return findings.length > 0 ? findings : ok('all settings are valid');
  },
};

const MIB = 2 ** 20;
/** A full store rejects all writes, and its WAL alone can grow to this size. */
const MIN_FREE_BYTES = 100 * MIB;
const LOW_FREE_BYTES = 1024 * MIB;

function checkFreeSpace(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MIB)} MiB free in ${folder}`;
  if (free < MIN_FREE_BYTES) return failure(`only ${text}; free space on the disk, otherwise writes fail`);
  return free < LOW_FREE_BYTES ? warning(`only ${text}; free space on the disk soon`) : ok(text);
}

const checkExposure = (config: Config, file: string): Finding[] =>
  findExposedFiles(config).includes(file)
    ? [warning(`${file} is accessible to other users; run: chmod go= ${file}`)]
    : [];

export const dataFolderCheck: DoctorCheck = {
  name: 'data directory',
  requiredSettings: ['data', 'store'],
  run: async ({ config }) => {
    const { data, store } = config;
    if (store.kind === 'postgres') return [];
    const folderError = checkDataFolder(data);
    if (folderError !== undefined) return failure(folderError);
    if (!existsSync(data)) return ok(`${data} does not exist yet; the first start creates it`);
    return [...checkExposure(config, data), checkFreeSpace(data)];
  },
};

/** The first start creates the store and its key. */
function isCreatedAtStart(config: Config): boolean {
  const { store, data, secret_key, secret_key_file } = config;
  if (store.kind !== 'sqlite' || secret_key || secret_key_file !== undefined) return false;
  return !existsSync(storeFilePath(data)) && !existsSync(getKeyFile(config));
}

export const secretKeyCheck: DoctorCheck = {
  name: 'secret key',
  requiredSettings: ['store', 'data', 'secret_key', 'secret_key_file'],
  run: async ({ config, store }) => {
    if (isCreatedAtStart(config)) return ok('no secret key yet; the first start creates it');
    try {
      const keySource = resolveSecretKeySource(config, false);
      keySource.keys();
      await openVault(keySource.keys, (await store()).reads.dataKeys);
      if (config.secret_key) return ok('the setting secret_key can decrypt the store');
      const file = getKeyFile(config);
      const exposure = checkExposure(config, file);
      return exposure.length > 0 ? exposure : ok(`${file} can decrypt the store`);
    } catch (error) {
      if (error instanceof StoreOpenError)
        return warning('the key exists, but was not verified because the store cannot be opened');
      throw error;
    }
  },
};
