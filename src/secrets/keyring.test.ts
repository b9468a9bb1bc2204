import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SecretDamagedError, StoreUnavailableError } from '../domain/errors.ts';
import type { Sealed, SecretLocation, TransactionDataKeys, WrappedKey } from '../domain/secret.ts';
import { Secret } from '../domain/secret.ts';
import { dataKeyIdOf, isWrappedBy, newDataKey, openVault, rewrap, WrongSecretKeyError } from './keyring.ts';

class MemoryKeys implements TransactionDataKeys {
  stored: WrappedKey[];

  constructor(...stored: WrappedKey[]) {
    this.stored = stored;
  }

  async listAll() {
    return this.stored;
  }

  async lockNewest() {
    return this.stored.at(-1)?.id ?? '';
  }
}

const secretKey = randomBytes(32);
const other = randomBytes(32);
const location: SecretLocation = { table: 'host_access', row: '127.0.0.1', column: 'ssh_priv_key' };
const secret = new Secret('correct horse');

type Keys = [Buffer, ...Buffer[]];

async function makeVault(secretKeys: Keys = [secretKey], keys = new MemoryKeys(newDataKey(secretKey))) {
  const vault = await openVault(() => secretKeys, keys);
  return {
    keys,
    seal: (text = secret, at = location) => vault.seal(text, at, keys),
    open: (sealed: Sealed, at = location) => vault.open(sealed, at, keys),
  };
}

describe('Vault', () => {
  test('opens its sealed values, also after a restart', async () => {
    const { keys, seal } = await makeVault();
    const sealed = await seal();
    const again = await makeVault([secretKey], keys);
    expect((await again.open(sealed)).equals(secret)).toBe(true);
  });

  test('seals to a different value each time, without the plain text', async () => {
    const { seal } = await makeVault();
    const [one, two] = [await seal(), await seal()];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9+/]+=*$/);
    expect(one).not.toContain(Buffer.from('correct horse').toString('base64').slice(0, 8));
  });

  test.each<[string, SecretLocation]>([
    ['row', { ...location, row: '10.0.0.2' }],
    ['column', { ...location, column: 'password' }],
    ['table', { ...location, table: 'accounts' }],
    [
      'location that concatenates to the same text',
      { table: 'host_access","10.0.0.1', row: 'ssh_priv_key', column: '' },
    ],
  ])('does not open a value that was moved to another %s', async (_what, elsewhere) => {
    const { seal, open } = await makeVault();
    await expect(open(await seal(), elsewhere)).rejects.toThrow(SecretDamagedError);
  });

  test.each<[string, (sealed: string) => string]>([
    ['another version', sealed => sealed.replace('v1', 'v2')],
    ['the ID of another key', sealed => sealed.replace(/\.[0-9a-f]/, digit => (digit === '.0' ? '.1' : '.0'))],
    ['no ciphertext', sealed => sealed.split('.').slice(0, 2).join('.')],
    ['no format', () => ''],
  ])('does not open a value with %s', async (_what, change) => {
    const { seal, open } = await makeVault();
    await expect(open(change(await seal()) as Sealed)).rejects.toThrow(
      'the secret ssh_priv_key of 127.0.0.1 in the table host_access cannot be decrypted',
    );
  });

  test('does not open with another secret key', async () => {
    const { keys } = await makeVault();
    await expect(openVault(() => [other], keys)).rejects.toThrow(WrongSecretKeyError);
  });

  test('opens with any of several secret keys', async () => {
    const { keys, seal } = await makeVault();
    const sealed = await seal();
    const { open } = await makeVault([other, secretKey], keys);
    expect((await open(sealed)).reveal()).toBe('correct horse');
  });

  test('seals with the newest data key and opens values of older ones', async () => {
    const { keys, seal, open } = await makeVault();
    const sealed = await seal();
    const added = newDataKey(secretKey);
    keys.stored.push(added);
    expect(dataKeyIdOf(await seal())).toBe(added.id);
    expect((await open(sealed)).reveal()).toBe('correct horse');
  });

  test('loads a data key that was added later and wrapped by a newer secret key', async () => {
    const secretKeys: Keys = [secretKey];
    const { keys, seal, open } = await makeVault(secretKeys);
    secretKeys.unshift(other);
    keys.stored.push(newDataKey(other));
    expect((await open(await seal())).reveal()).toBe('correct horse');
  });

  test('reports the store as unavailable while the secret key of a new data key is missing', async () => {
    const secretKeys: Keys = [secretKey];
    const { keys, seal } = await makeVault(secretKeys);
    keys.stored.push(newDataKey(other));
    await expect(seal()).rejects.toThrow(StoreUnavailableError);
    secretKeys.push(other);
    expect(dataKeyIdOf(await seal())).toBe(keys.stored.at(-1)?.id);
  });

  test('still opens values of a data key that was deleted from the store', async () => {
    const { keys, seal, open } = await makeVault();
    const sealed = await seal();
    keys.stored = [newDataKey(secretKey)];
    expect((await open(sealed)).reveal()).toBe('correct horse');
  });

  test('does not open with a data key whose ID does not match', async () => {
    const { wrapped } = newDataKey(secretKey);
    await expect(makeVault([secretKey], new MemoryKeys({ id: '00000000', wrapped }))).rejects.toThrow(
      WrongSecretKeyError,
    );
  });
});

describe('wrapped data key', () => {
  test('cannot be read without the secret key', () => {
    const wrapped = Buffer.from(newDataKey(secretKey).wrapped, 'base64');
    // Nonce, tag, and the 44 base64 characters of a key.
    expect(wrapped).toHaveLength(12 + 16 + 44);
    expect(wrapped.subarray(28).toString('latin1')).not.toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  test('is the same key after rewrapping, and opens only with the new secret key', async () => {
    const { keys, seal } = await makeVault();
    const sealed = await seal();
    const [key] = keys.stored;
    if (key === undefined) throw new Error('no key');
    const rewrapped = rewrap(key, [secretKey], other);
    expect([isWrappedBy(secretKey, rewrapped), isWrappedBy(other, rewrapped)]).toEqual([false, true]);
    const { open } = await makeVault([other], new MemoryKeys(rewrapped));
    expect((await open(sealed)).reveal()).toBe('correct horse');
  });

  test('cannot be rewrapped with the wrong secret key', () => {
    expect(() => rewrap(newDataKey(secretKey), [other], other)).toThrow(WrongSecretKeyError);
  });
});
