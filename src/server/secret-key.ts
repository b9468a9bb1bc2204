import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { PlainError } from '../lib/plain-error.ts';
import { KEY_BYTES } from '../secrets/keyring.ts';
import type { Config } from './settings.ts';
import { isSecretKey } from './settings.ts';

export class NoSecretKey extends PlainError {}

/** Where the secret key is, unless it is given itself. */
export const keyFileOf = ({ secret_key_file, data }: Config): string =>
  secret_key_file ?? path.join(data, 'secret.key');

function readKeyFile(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new NoSecretKey(`the secret key cannot be read: ${(error as Error).message}`);
  }
  if (!isSecretKey(text)) throw new NoSecretKey(`${file} does not hold 32 bytes in base64`);
  return Buffer.from(text, 'base64');
}

function syncPath(name: string) {
  const handle = openSync(name, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** On disk for good before anything is encrypted with it. */
function makeKeyFile(file: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  // Written aside first: a file under the right name is always whole.
  const aside = `${file}.new`;
  rmSync(aside, { force: true });
  const handle = openSync(aside, 'wx', 0o600);
  writeSync(handle, `${key.toString('base64')}\n`);
  closeSync(handle);
  syncPath(aside);
  renameSync(aside, file);
  syncPath(path.dirname(file));
  return key;
}

/**
 * The secret key from the configuration or the data folder. It is made there at the first start of an embedded store, and never
 * when the store already holds something that another key protects.
 */
export function findSecretKey(config: Config, isStoreNew: boolean): Buffer {
  if (config.secret_key) return Buffer.from(config.secret_key.reveal(), 'base64');
  const file = keyFileOf(config);
  const key = readKeyFile(file);
  if (key) return key;
  if (config.secret_key_file !== undefined || config.store.kind !== 'sqlite') {
    throw new NoSecretKey(`the secret key file ${file} does not exist; make it by: openssl rand -base64 32`);
  }
  if (!isStoreNew) {
    throw new NoSecretKey(
      `the secret key ${file} is missing, and the store cannot be read without it; put it back there`,
    );
  }
  return makeKeyFile(file);
}
