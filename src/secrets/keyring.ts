// The secret key stays with whoever runs the service and wraps the data key; the data key lives, wrapped, in the store and
// encrypts every secret there. What must hold: a secret key that does not open the store's data key changes nothing.

import { randomBytes } from 'node:crypto';
import type { Sealed, SealedPlace, Vault, WrappedKey } from '../domain/secret.ts';
import { Secret } from '../domain/secret.ts';
import { PlainError } from '../lib/plain-error.ts';
import { decrypt, encrypt } from './seal.ts';

export const KEY_BYTES = 32;

/** Where wrapped data keys are kept. */
export interface WrappedKeys {
  /** Oldest first. */
  all(): Promise<readonly WrappedKey[]>;
  /** Keeps this key unless there is one already: another server was faster. */
  addFirst(key: WrappedKey): Promise<void>;
}

export class WrongSecretKey extends PlainError {
  constructor() {
    super('the secret key is not the one that this store was encrypted with; nothing was changed');
  }
}

const wrap = (secretKey: Buffer, id: string, dataKey: Buffer) =>
  encrypt(secretKey, dataKey.toString('base64'), `data key ${id}`).toString('base64');

function unwrap(secretKey: Buffer, { id, wrapped }: WrappedKey): Buffer {
  try {
    return Buffer.from(decrypt(secretKey, Buffer.from(wrapped, 'base64'), `data key ${id}`), 'base64');
  } catch {
    throw new WrongSecretKey();
  }
}

/** The keys that are kept, oldest first; the first one is made when there is none. */
async function dataKeys(secretKey: Buffer, keys: WrappedKeys): Promise<ReadonlyMap<string, Buffer>> {
  if ((await keys.all()).length === 0) {
    const id = randomBytes(4).toString('hex');
    await keys.addFirst({ id, wrapped: wrap(secretKey, id, randomBytes(KEY_BYTES)) });
  }
  return new Map((await keys.all()).map(kept => [kept.id, unwrap(secretKey, kept)]));
}

const boundTo = ({ table, row, column }: SealedPlace) => JSON.stringify([table, row, column]);

/** Opens the store's data keys, or makes the first one. Secrets are sealed with the newest, and opened with the one they name. */
export async function openVault(secretKey: Buffer, kept: WrappedKeys): Promise<Vault> {
  const keys = await dataKeys(secretKey, kept);
  const [newest] = [...keys].slice(-1);
  if (newest === undefined) throw new Error('the store did not keep its data key');
  const [newestId, newestKey] = newest;
  return {
    seal: (secret, place) =>
      `v1.${newestId}.${encrypt(newestKey, secret.reveal(), boundTo(place)).toString('base64')}` as Sealed,
    open: (sealed, place) => {
      const [version, id = '', body] = sealed.split('.');
      const key = keys.get(id);
      if (version !== 'v1' || key === undefined || body === undefined)
        throw new Error('sealed with a key that is not kept');
      return new Secret(decrypt(key, Buffer.from(body, 'base64'), boundTo(place)));
    },
  };
}
