// The secret key stays with whoever runs the service and wraps the data key; the data key lives, wrapped, in the store and
// encrypts every secret there. What must hold: a secret key that does not open the store's data key changes nothing.

import { randomBytes } from 'node:crypto';
import type { Sealed, SealedPlace, Vault } from '../domain/secret.ts';
import { Secret } from '../domain/secret.ts';
import { PlainError } from '../lib/plain-error.ts';
import { decrypt, encrypt } from './seal.ts';

export const KEY_BYTES = 32;

/** A data key as the store keeps it. */
export interface WrappedKey {
  readonly id: string;
  readonly wrapped: string;
}

/** Where wrapped data keys are kept. */
export interface WrappedKeys {
  newest(): Promise<WrappedKey | undefined>;
  /** Keeps this key unless another server was faster; answers the one that is kept. */
  addFirst(key: WrappedKey): Promise<WrappedKey>;
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

async function dataKeyOf(secretKey: Buffer, keys: WrappedKeys): Promise<{ id: string; key: Buffer }> {
  const id = randomBytes(4).toString('hex');
  const kept =
    (await keys.newest()) ??
    (await keys.addFirst({ id, wrapped: wrap(secretKey, id, randomBytes(KEY_BYTES)) }));
  return { id: kept.id, key: unwrap(secretKey, kept) };
}

const boundTo = ({ table, row, column }: SealedPlace) => JSON.stringify([table, row, column]);

/** Opens the store's data key, or makes the first one, and answers what seals and opens secrets with it. */
export async function openVault(secretKey: Buffer, keys: WrappedKeys): Promise<Vault> {
  const { id, key } = await dataKeyOf(secretKey, keys);
  return {
    seal: (secret, place) =>
      `v1.${id}.${encrypt(key, secret.reveal(), boundTo(place)).toString('base64')}` as Sealed,
    open: (sealed, place) => {
      const [version, keyId, body] = sealed.split('.');
      if (version !== 'v1' || keyId !== id || body === undefined) throw new WrongSecretKey();
      return new Secret(decrypt(key, Buffer.from(body, 'base64'), boundTo(place)));
    },
  };
}
