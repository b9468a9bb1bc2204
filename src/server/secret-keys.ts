import type { KeyObject } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { loadEventLogKey } from '../app/initialize-store.ts';
import type { SecretKeySource } from '../app/rotate-keys.ts';
import { errorCode, errorMessage, OperatorError, PermanentError } from '../lib/errors.ts';
import { fileTimestamp, fsyncPath, isAccessibleByOthers } from '../lib/files.ts';
import type { SecretKeys } from '../secrets/keyring.ts';
import { KEY_BYTES, openVault } from '../secrets/keyring.ts';
import type { Store } from '../store/store.ts';
import { GENERATE_KEY_COMMAND, isSecretKey, splitKeys } from './configuration/setting.ts';
import type { Config } from './configuration/settings.ts';

export class SecretKeyError extends PermanentError {}

/** Where the secret key is, unless it is given itself. */
export const getKeyFile = ({ secret_key_file, data }: Config): string =>
  secret_key_file ?? path.join(data, 'secret.key');

type Keys = ReturnType<SecretKeys>;

function decodeKeys(keys: readonly string[], errorText: string): Keys {
  const [first, ...others] = keys.map(key => Buffer.from(key, 'base64'));
  if (first === undefined) throw new SecretKeyError(errorText);
  return [first, ...others];
}

/** The keys in a file, one on each line; `undefined` when there is no such file. */
function readKeyFile(file: string): Keys | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new SecretKeyError(`cannot read the secret key: ${errorMessage(error)}`);
  }
  const keys = splitKeys(text);
  if (!keys.every(isSecretKey))
    throw new SecretKeyError(`${file} does not contain a secret key of 32 bytes in base64`);
  return decodeKeys(keys, `${file} does not contain a secret key of 32 bytes in base64`);
}

/** On disk for good before anything is encrypted with a new key, and for the same user as before. */
function writeKeyFile(name: string, keys: readonly Buffer[]): void {
  const file = existsSync(name) ? realpathSync(name) : name;
  // Written aside first: a file under the right name is always whole.
  const temporaryFile = `${file}.new`;
  try {
    rmSync(temporaryFile, { force: true });
    const handle = openSync(temporaryFile, 'wx', 0o600);
    writeSync(handle, keys.map(key => `${key.toString('base64')}\n`).join(''));
    closeSync(handle);
    if (existsSync(file)) {
      const { uid, gid } = statSync(file);
      chownSync(temporaryFile, uid, gid);
    }
    fsyncPath(temporaryFile);
    renameSync(temporaryFile, file);
    fsyncPath(path.dirname(file));
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    throw new OperatorError(`cannot write the secret key file ${file}: ${errorMessage(error)}`);
  }
}

const ARCHIVE_SUFFIX = '.before-';

/** Older backups can be opened with these only. */
function archiveKeys(file: string, keys: readonly Buffer[]): void {
  if (keys.length === 0) return;
  writeKeyFile(`${file}${ARCHIVE_SUFFIX}${fileTimestamp(Date.now())}`, keys);
}

/** Files with keys that a rotation has put aside, the newest last. */
export function listArchivedKeyFiles(file: string): readonly string[] {
  const { dir, base } = path.parse(existsSync(file) ? realpathSync(file) : file);
  return readdirSync(dir)
    .filter(name => name.startsWith(`${base}${ARCHIVE_SUFFIX}`))
    .sort()
    .map(name => path.join(dir, name));
}

/** A file that only this machine has may be written by us; one that must be the same on several machines is for a person. */
function createKeyFileSource(file: string, isLocalOnly: boolean, isStoreNew: boolean): SecretKeySource {
  const remedy = isStoreNew
    ? `create a key with: ${GENERATE_KEY_COMMAND}`
    : 'the store cannot be decrypted without it; restore the file';
  const keys = () => {
    const fileKeys = readKeyFile(file);
    if (fileKeys === undefined)
      throw new SecretKeyError(`the secret key file ${file} does not exist; ${remedy}`);
    return fileKeys;
  };
  if (isLocalOnly) {
    const prependNew = () => writeKeyFile(file, [randomBytes(KEY_BYTES), ...keys()]);
    const retainOnly = (remaining: readonly Buffer[]) => {
      archiveKeys(
        file,
        keys().filter(key => !remaining.some(each => each.equals(key))),
      );
      writeKeyFile(file, remaining);
    };
    return { keys, prependNew, retainOnly };
  }
  const manualInstructions = `several servers can share this store, so you must provide the new key: add it as the first line of ${file} on every server, above the old key (create a key with: ${GENERATE_KEY_COMMAND}), then run this command again`;
  return { keys, manualInstructions };
}

/**
 * Where the secret keys of the configuration are. On an embedded store that is new the first one is made, and never when the store
 * already holds something that another key protects.
 */
export function resolveSecretKeySource(config: Config, isStoreNew: boolean): SecretKeySource {
  if (config.secret_key) {
    const configuredKeys = decodeKeys(
      config.secret_key.map(key => key.reveal()),
      'the setting secret_key is empty',
    );
    const manualInstructions = `the secret key is a setting, so you must provide the new key: set HOSTLER_SECRET_KEY='NEW OLD' (create a key with: ${GENERATE_KEY_COMMAND}), restart the servers, then run this command again with the same setting`;
    return { keys: () => configuredKeys, manualInstructions };
  }
  const file = getKeyFile(config);
  const isEmbedded = config.store.kind === 'sqlite';
  const source = createKeyFileSource(file, isEmbedded, isStoreNew);
  if (readKeyFile(file) || !isEmbedded || config.secret_key_file !== undefined) return source;
  if (!isStoreNew) {
    throw new SecretKeyError(
      `the secret key file ${file} is missing; the store cannot be decrypted without it; restore the file`,
    );
  }
  writeKeyFile(file, [randomBytes(KEY_BYTES)]);
  return source;
}

/** The data directory and the key file, if other users of the machine can open them. */
export function findExposedFiles(config: Config): readonly string[] {
  const files = [...(config.store.kind === 'sqlite' ? [config.data] : []), getKeyFile(config)];
  return files.filter(file => existsSync(file) && isAccessibleByOthers(statSync(file)));
}

/** The key of the chain of a store's log, by the secret key of the configuration; `undefined`: none was made yet. */
export async function loadLogKey(config: Config, store: Store): Promise<KeyObject | undefined> {
  const vault = await openVault(resolveSecretKeySource(config, false).keys, store.reads.dataKeys);
  return loadEventLogKey({ store, vault });
}
