// Secret keys stay with whoever runs the service and wrap the data keys; the data keys live, wrapped, in the store and encrypt every
// secret there. What must hold: a secret key that does not open the store's data keys changes nothing; and a data key that another
// process has added is found as soon as a value names it.

import { randomBytes } from 'node:crypto';
import { SecretDamaged, StoreUnavailable } from '../domain/errors.ts';
import type { HeldKeys, KeptKeys, Sealed, SealedPlace, Vault, WrappedKey } from '../domain/secret.ts';
import { Secret } from '../domain/secret.ts';
import { LastingError } from '../lib/errors/lasting-error.ts';
import { PlainError } from '../lib/errors/plain-error.ts';
import { decrypt, encrypt } from './seal.ts';

export const KEY_BYTES = 32;

/** The secret keys of this process, read anew at each asking. The first one wraps; the others still open. */
export type SecretKeys = () => readonly [Buffer, ...Buffer[]];

export class WrongSecretKey extends LastingError {
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
  throw new WrongSecretKey();
}

export const newDataKey = (secretKey: Buffer): WrappedKey =>
  wrap(secretKey, randomBytes(4).toString('hex'), randomBytes(KEY_BYTES));

export const isWrappedBy = (secretKey: Buffer, key: WrappedKey): boolean =>
  unwrapWith(secretKey, key) !== undefined;

/** The same data key, wrapped by another secret key. */
export const rewrap = (key: WrappedKey, from: readonly Buffer[], to: Buffer): WrappedKey =>
  wrap(to, key.id, unwrap(from, key));

const boundTo = ({ table, row, column }: SealedPlace) => JSON.stringify([table, row, column]);

/** The id of the data key that a value is sealed with. */
export const keyIdOf = (sealed: Sealed): string => sealed.split('.')[1] ?? '';

class Keyring implements Vault {
  readonly #secretKeys: SecretKeys;
  readonly #dataKeys = new Map<string, Buffer>();

  constructor(secretKeys: SecretKeys) {
    this.#secretKeys = secretKeys;
  }

  async load(kept: KeptKeys): Promise<void> {
    for (const key of await kept.all()) {
      if (!this.#dataKeys.has(key.id)) this.#dataKeys.set(key.id, unwrap(this.#secretKeys(), key));
    }
  }

  async #dataKey(id: string, kept: KeptKeys): Promise<Buffer | undefined> {
    if (!this.#dataKeys.has(id)) {
      try {
        await this.load(kept);
      } catch (error) {
        // The keys were rotated, and this server has not been given the new one.
        throw error instanceof PlainError ? new StoreUnavailable(error) : error;
      }
    }
    return this.#dataKeys.get(id);
  }

  async seal(secret: Secret, place: SealedPlace, held: HeldKeys): Promise<Sealed> {
    const id = await held.holdNewest();
    const key = await this.#dataKey(id, held);
    if (key === undefined) throw new Error('the newest data key is missing');
    const body = encrypt(key, secret.reveal(), boundTo(place));
    return `v1.${id}.${body.toString('base64')}` as Sealed;
  }

  async open(sealed: Sealed, place: SealedPlace, kept: KeptKeys): Promise<Secret> {
    const [version, id = '', body = ''] = sealed.split('.');
    const key = version === 'v1' ? await this.#dataKey(id, kept) : undefined;
    if (key === undefined) throw new SecretDamaged(place);
    try {
      return new Secret(decrypt(key, Buffer.from(body, 'base64'), boundTo(place)));
    } catch {
      throw new SecretDamaged(place);
    }
  }
}

/** Opens the store's data keys. Secrets are sealed with the newest, and opened with the one they name. */
export async function openVault(secretKeys: SecretKeys, kept: KeptKeys): Promise<Vault> {
  const keyring = new Keyring(secretKeys);
  await keyring.load(kept);
  return keyring;
}
