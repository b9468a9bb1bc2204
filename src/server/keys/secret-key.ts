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
import type { SecretKeyPlace } from '../../app/keys/rotate-keys.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { syncPath } from '../../lib/sync-path.ts';
import { fileStamp } from '../../lib/time/file-stamp.ts';
import type { SecretKeys } from '../../secrets/keyring.ts';
import { KEY_BYTES } from '../../secrets/keyring.ts';
import { isSecretKey, MAKE_A_KEY, splitKeys } from '../configuration/setting-values.ts';
import type { Config } from '../configuration/settings.ts';

export class NoSecretKey extends LastingError {}

/** Where the secret key is, unless it is given itself. */
export const keyFileOf = ({ secret_key_file, data }: Config): string =>
  secret_key_file ?? path.join(data, 'secret.key');

type Keys = ReturnType<SecretKeys>;

function atLeastOne(keys: readonly string[], problem: string): Keys {
  const [first, ...others] = keys.map(key => Buffer.from(key, 'base64'));
  if (first === undefined) throw new NoSecretKey(problem);
  return [first, ...others];
}

/** The keys in a file, one on each line; `undefined` when there is no such file. */
function readKeyFile(file: string): Keys | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new NoSecretKey(`cannot read the secret key: ${messageOf(error)}`);
  }
  const keys = splitKeys(text);
  if (!keys.every(isSecretKey))
    throw new NoSecretKey(`${file} does not contain a secret key of 32 bytes in base64`);
  return atLeastOne(keys, `${file} does not contain a secret key of 32 bytes in base64`);
}

/** On disk for good before anything is encrypted with a new key, and for the same user as before. */
function writeKeyFile(name: string, keys: readonly Buffer[]): void {
  const file = existsSync(name) ? realpathSync(name) : name;
  // Written aside first: a file under the right name is always whole.
  const aside = `${file}.new`;
  try {
    rmSync(aside, { force: true });
    const handle = openSync(aside, 'wx', 0o600);
    writeSync(handle, keys.map(key => `${key.toString('base64')}\n`).join(''));
    closeSync(handle);
    if (existsSync(file)) {
      const { uid, gid } = statSync(file);
      chownSync(aside, uid, gid);
    }
    syncPath(aside);
    renameSync(aside, file);
    syncPath(path.dirname(file));
  } catch (error) {
    rmSync(aside, { force: true });
    throw new PlainError(`cannot write the secret key file ${file}: ${messageOf(error)}`);
  }
}

const BEFORE = '.before-';

/** Older backups can be opened with these only. */
function keepForBackups(file: string, keys: readonly Buffer[]): void {
  if (keys.length === 0) return;
  writeKeyFile(`${file}${BEFORE}${fileStamp(Date.now())}`, keys);
}

/** Files with keys that a rotation has put aside, the newest last. */
export function oldKeyFiles(file: string): readonly string[] {
  const { dir, base } = path.parse(existsSync(file) ? realpathSync(file) : file);
  return readdirSync(dir)
    .filter(name => name.startsWith(`${base}${BEFORE}`))
    .sort()
    .map(name => path.join(dir, name));
}

/** A file that only this machine has may be written by us; one that must be the same on several machines is for a person. */
function placeOfFile(file: string, isOnlyHere: boolean, isStoreNew: boolean): SecretKeyPlace {
  const whatToDo = isStoreNew
    ? `create a key with: ${MAKE_A_KEY}`
    : 'the store cannot be decrypted without it; restore the file';
  const keys = () => {
    const found = readKeyFile(file);
    if (found === undefined) throw new NoSecretKey(`the secret key file ${file} does not exist; ${whatToDo}`);
    return found;
  };
  if (isOnlyHere) {
    const addNew = () => writeKeyFile(file, [randomBytes(KEY_BYTES), ...keys()]);
    const keepOnly = (wanted: readonly Buffer[]) => {
      keepForBackups(
        file,
        keys().filter(key => !wanted.some(each => each.equals(key))),
      );
      writeKeyFile(file, wanted);
    };
    return { keys, addNew, keepOnly };
  }
  const howToAdd = `several servers can share this store, so you must provide the new key: add it as the first line of ${file} on every server, above the old key (create a key with: ${MAKE_A_KEY}), then run this command again`;
  return { keys, howToAdd };
}

/**
 * Where the secret keys of the configuration are. On an embedded store that is new the first one is made, and never when the store
 * already holds something that another key protects.
 */
export function secretKeyPlace(config: Config, isStoreNew: boolean): SecretKeyPlace {
  if (config.secret_key) {
    const given = atLeastOne(
      config.secret_key.map(key => key.reveal()),
      'the setting secret_key is empty',
    );
    const howToAdd = `the secret key is a setting, so you must provide the new key: set HOSTLER_SECRET_KEY='NEW OLD' (create a key with: ${MAKE_A_KEY}), restart the servers, then run this command again with the same setting`;
    return { keys: () => given, howToAdd };
  }
  const file = keyFileOf(config);
  const isEmbedded = config.store.kind === 'sqlite';
  const place = placeOfFile(file, isEmbedded, isStoreNew);
  if (readKeyFile(file) || !isEmbedded || config.secret_key_file !== undefined) return place;
  if (!isStoreNew) {
    throw new NoSecretKey(
      `the secret key file ${file} is missing; the store cannot be decrypted without it; restore the file`,
    );
  }
  writeKeyFile(file, [randomBytes(KEY_BYTES)]);
  return place;
}
