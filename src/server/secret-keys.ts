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

export const getKeyFile = ({ secret_key_file, data }: Config): string =>
  secret_key_file ?? path.join(data, 'secret.key');

type Keys = ReturnType<SecretKeys>;

function decodeKeys(keys: readonly string[], errorText: string): Keys {
  const [first, ...others] = keys.map(key => Buffer.from(key, 'base64'));
  if (first === undefined) throw new SecretKeyError(errorText);
  return [first, ...others];
}

/** Reads the keys, one per line; `undefined` if the file does not exist. */
function readKeyFile(file: string): Keys | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new SecretKeyError(`cannot read the secret key: ${errorMessage(error)}`);
  }
  const keys = splitKeys(text);
  return decodeKeys(keys.every(isSecretKey) ? keys : [], `${file} does not contain a secret key of 32 bytes in base64`);
}

/** Syncs the file to disk before the new key encrypts anything, and keeps its owner. */
function writeKeyFile(name: string, keys: readonly Buffer[]): void {
  const file = existsSync(name) ? realpathSync(name) : name;
  // Renamed when it is complete, so that the key file is never truncated.
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

/** Key files that rotations have archived, newest last. */
export function listArchivedKeyFiles(file: string): readonly string[] {
  const { dir, base } = path.parse(existsSync(file) ? realpathSync(file) : file);
  return readdirSync(dir)
    .filter(name => name.startsWith(`${base}${ARCHIVE_SUFFIX}`))
    .sort()
    .map(name => path.join(dir, name));
}

/** Writes new keys only if no other server uses them. An administrator must copy a shared key. */
function createKeyFileSource(file: string, isLocalOnly: boolean, isStoreNew: boolean): SecretKeySource {
  const remedy = isStoreNew
    ? `create a key with: ${GENERATE_KEY_COMMAND}`
    : 'the store cannot be decrypted without it; restore the file';
  const keys = () => {
    const fileKeys = readKeyFile(file);
    if (fileKeys === undefined) throw new SecretKeyError(`the secret key file ${file} does not exist; ${remedy}`);
    return fileKeys;
  };
  if (isLocalOnly) {
    const prependNew = () => writeKeyFile(file, [randomBytes(KEY_BYTES), ...keys()]);
    const retainOnly = (remaining: readonly Buffer[]) => {
      const removed = keys().filter(key => !remaining.some(each => each.equals(key)));
      // Older backups can be decrypted only with these keys.
      if (removed.length > 0) writeKeyFile(`${file}${ARCHIVE_SUFFIX}${fileTimestamp(Date.now())}`, removed);
      writeKeyFile(file, remaining);
    };
    return { keys, prependNew, retainOnly };
  }
  const manualInstructions = `several servers can share this store, so you must provide the new key: add it as the first line of ${file} on every server, above the old key (create a key with: ${GENERATE_KEY_COMMAND}), then run this command again`;
  return { keys, manualInstructions };
}

/** Creates a key file only for a new embedded store. A new key cannot decrypt an existing store. */
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

/** The data directory and the key file, if other users of the machine can access them. */
export function findExposedFiles(config: Config): readonly string[] {
  const files = [...(config.store.kind === 'sqlite' ? [config.data] : []), getKeyFile(config)];
  return files.filter(file => existsSync(file) && isAccessibleByOthers(statSync(file)));
}

/** The signing key of the event log; `undefined` if the log has no key yet. */
export async function loadLogKey(config: Config, store: Store): Promise<KeyObject | undefined> {
  const vault = await openVault(resolveSecretKeySource(config, false).keys, store.reads.dataKeys);
  return loadEventLogKey({ store, vault });
}
