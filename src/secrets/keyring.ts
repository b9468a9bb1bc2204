// AES-256-GCM with a random nonce per value. A sealed value is `v1.<key id>.<nonce ‖ tag ‖ ciphertext>`. Its
// location is authenticated (AAD), so a value copied to another row or column does not open.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SecretDamagedError, StoreUnavailableError } from '../domain/errors.ts';
import type { DataKeys, Sealed, SecretLocation, TransactionDataKeys, Vault, WrappedKey } from '../domain/secret.ts';
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

/** Throws if the key is wrong, or if any bit of the value or its location changed. */
export function decrypt(key: Buffer, sealed: Buffer, aad: string): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(aad)).setAuthTag(tag);
  return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

// The operator of the service keeps the secret keys, which wrap the data keys. The wrapped data keys are in
// the store and encrypt all secrets there. Invariants: opening with a wrong secret key fails and changes
// nothing; a data key added by another process is loaded when a value refers to it.

export const KEY_BYTES = 32;

/** The secret keys of this process, read again with each call. The first key wraps; all keys unwrap. */
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

export const isWrappedBy = (secretKey: Buffer, key: WrappedKey): boolean => unwrapWith(secretKey, key) !== undefined;

export const rewrap = (key: WrappedKey, from: readonly Buffer[], to: Buffer): WrappedKey =>
  wrap(to, key.id, unwrap(from, key));

const associatedData = ({ table, row, column }: SecretLocation) => JSON.stringify([table, row, column]);

export const dataKeyIdOf = (sealed: Sealed): string => sealed.split('.')[1] ?? '';

class Keyring implements Vault {
  readonly #secretKeys: SecretKeys;
  readonly #dataKeys = new Map<string, Buffer>();

  constructor(secretKeys: SecretKeys) {
    this.#secretKeys = secretKeys;
  }

  async load(keys: DataKeys): Promise<void> {
    for (const key of await keys.listAll()) {
      if (!this.#dataKeys.has(key.id)) this.#dataKeys.set(key.id, unwrap(this.#secretKeys(), key));
    }
  }

  async #dataKey(id: string, keys: DataKeys): Promise<Buffer | undefined> {
    if (!this.#dataKeys.has(id)) {
      try {
        await this.load(keys);
      } catch (error) {
        // The secret key was rotated, and this server does not have the new one yet.
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

export async function openVault(secretKeys: SecretKeys, keys: DataKeys): Promise<Vault> {
  const keyring = new Keyring(secretKeys);
  await keyring.load(keys);
  return keyring;
}
