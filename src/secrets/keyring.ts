// AES-256-GCM with a fresh nonce per value. The text of a sealed value is `v1.<key id>.<nonce ‖ tag ‖ ciphertext>`; the place
// it is kept in is authenticated with it, so that a value copied to another row or column does not open.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SecretDamagedError, StoreUnavailableError } from '../domain/errors.ts';
import type {
  DataKeys,
  Sealed,
  SecretLocation,
  TransactionDataKeys,
  Vault,
  WrappedKey,
} from '../domain/secret.ts';
import { Secret } from '../domain/secret.ts';
import { OperatorError, PermanentError } from '../lib/errors.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function encrypt(key: Buffer, text: string, aad: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Throws when the key is another one, or when a bit of the value or of its place has changed. */
export function decrypt(key: Buffer, sealed: Buffer, aad: string): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(aad)).setAuthTag(tag);
  return (
    decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  );
}

// Secret keys stay with whoever runs the service and wrap the data keys; the data keys live, wrapped, in the store and encrypt every
// secret there. What must hold: a secret key that does not open the store's data keys changes nothing; and a data key that another
// process has added is found as soon as a value names it.

export const KEY_BYTES = 32;

/** The secret keys of this process, read anew at each asking. The first one wraps; the others still open. */
export type SecretKeys = () => readonly [Buffer, ...Buffer[]];

export class WrongSecretKeyError extends PermanentError {
  constructor() {
    super('the secret key does not match this store; nothing was changed');
  }
}

const wrap = (secretKey: Buffer, id: string, dataKey: Buffer): WrappedKey => ({
  id,
  wrapped: encrypt(secretKey, dataKey.toString('base64'), `data key ${id}`).toString('base64'),
});

function unwrapWith(secretKey: Buffer, { id, wrapped }: WrappedKey): Buffer | undefined {
  try {
    return Buffer.from(decrypt(secretKey, Buffer.from(wrapped, 'base64'), `data key ${id}`), 'base64');
  } catch {
    return undefined;
  }
}

function unwrap(secretKeys: readonly Buffer[], key: WrappedKey): Buffer {
  for (const secretKey of secretKeys) {
    const dataKey = unwrapWith(secretKey, key);
    if (dataKey) return dataKey;
  }
  throw new WrongSecretKeyError();
}

export const newDataKey = (secretKey: Buffer): WrappedKey =>
  wrap(secretKey, randomBytes(4).toString('hex'), randomBytes(KEY_BYTES));

export const isWrappedBy = (secretKey: Buffer, key: WrappedKey): boolean =>
  unwrapWith(secretKey, key) !== undefined;

/** The same data key, wrapped by another secret key. */
export const rewrap = (key: WrappedKey, from: readonly Buffer[], to: Buffer): WrappedKey =>
  wrap(to, key.id, unwrap(from, key));

const associatedData = ({ table, row, column }: SecretLocation) => JSON.stringify([table, row, column]);

/** The id of the data key that a value is sealed with. */
export const dataKeyIdOf = (sealed: Sealed): string => sealed.split('.')[1] ?? '';

class Keyring implements Vault {
  readonly #secretKeys: SecretKeys;
  readonly #dataKeys = new Map<string, Buffer>();

  constructor(secretKeys: SecretKeys) {
    this.#secretKeys = secretKeys;
  }

  async load(keys: DataKeys): Promise<void> {
    for (const key of await keys.all()) {
      if (!this.#dataKeys.has(key.id)) this.#dataKeys.set(key.id, unwrap(this.#secretKeys(), key));
    }
  }

  async #dataKey(id: string, keys: DataKeys): Promise<Buffer | undefined> {
    if (!this.#dataKeys.has(id)) {
      try {
        await this.load(keys);
      } catch (error) {
        // The keys were rotated, and this server has not been given the new one.
        throw error instanceof OperatorError ? new StoreUnavailableError(error) : error;
      }
    }
    return this.#dataKeys.get(id);
  }

  async seal(secret: Secret, location: SecretLocation, keys: TransactionDataKeys): Promise<Sealed> {
    const id = await keys.lockNewest();
    const key = await this.#dataKey(id, keys);
    if (key === undefined) throw new Error('the newest data key is missing');
    const body = encrypt(key, secret.reveal(), associatedData(location));
    return `v1.${id}.${body.toString('base64')}` as Sealed;
  }

  async open(sealed: Sealed, location: SecretLocation, keys: DataKeys): Promise<Secret> {
    const [version, id = '', body = ''] = sealed.split('.');
    const key = version === 'v1' ? await this.#dataKey(id, keys) : undefined;
    if (key === undefined) throw new SecretDamagedError(location);
    try {
      return new Secret(decrypt(key, Buffer.from(body, 'base64'), associatedData(location)));
    } catch {
      throw new SecretDamagedError(location);
    }
  }
}

/** Opens the store's data keys. Secrets are sealed with the newest, and opened with the one they name. */
export async function openVault(secretKeys: SecretKeys, keys: DataKeys): Promise<Vault> {
  const keyring = new Keyring(secretKeys);
  await keyring.load(keys);
  return keyring;
}
