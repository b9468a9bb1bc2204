import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SecretDamagedError, StoreUnavailableError } from '../domain/errors.ts';
import type { Sealed, SecretLocation, TransactionDataKeys, WrappedKey } from '../domain/secret.ts';
import { Secret } from '../domain/secret.ts';
import { dataKeyIdOf, isWrappedBy, newDataKey, openVault, rewrap, WrongSecretKeyError } from './keyring.ts';

/** Keys in memory, oldest first. */
class MemoryKeys implements TransactionDataKeys {
  stored: WrappedKey[];

  constructor(...stored: WrappedKey[]) {
    this.stored = stored;
  }

  async all() {
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

describe('a vault', () => {
  test('opens what it sealed, also after the next start', async () => {
    const { keys, seal } = await makeVault();
    const sealed = await seal();
    const again = await makeVault([secretKey], keys);
    expect((await again.open(sealed)).equals(secret)).toBe(true);
  });

  test('never seals to the same value twice, and shows neither text nor place in it', async () => {
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
    ['row that only reads the same', { table: 'host_access","10.0.0.1', row: 'ssh_priv_key', column: '' }],
  ])('does not open a value that was moved to another %s', async (_what, elsewhere) => {
    const { seal, open } = await makeVault();
    await expect(open(await seal(), elsewhere)).rejects.toThrow(SecretDamagedError);
  });

  test.each<[string, (sealed: string) => string]>([
    ['another version', sealed => sealed.replace('v1', 'v2')],
    [
      'the id of another key',
      sealed => sealed.replace(/\.[0-9a-f]/, digit => (digit === '.0' ? '.1' : '.0')),
    ],
    ['nothing of the value left', sealed => sealed.split('.').slice(0, 2).join('.')],
    ['no form at all', () => ''],
  ])('does not open a value with %s', async (_what, change) => {
    const { seal, open } = await makeVault();
    await expect(open(change(await seal()) as Sealed)).rejects.toThrow(
      'the secret ssh_priv_key of 127.0.0.1 in the table host_access cannot be decrypted',
    );
  });

  test('is not opened by another secret key', async () => {
    const { keys } = await makeVault();
    await expect(openVault(() => [other], keys)).rejects.toThrow(WrongSecretKeyError);
  });

  test('is opened by any of several secret keys', async () => {
    const { keys, seal } = await makeVault();
    const sealed = await seal();
    const { open } = await makeVault([other, secretKey], keys);
    expect((await open(sealed)).reveal()).toBe('correct horse');
  });

  test('seals with the newest of several keys, and opens what an older one sealed', async () => {
    const { keys, seal, open } = await makeVault();
    const sealed = await seal();
    const added = newDataKey(secretKey);
    keys.stored.push(added);
    expect(dataKeyIdOf(await seal())).toBe(added.id);
    expect((await open(sealed)).reveal()).toBe('correct horse');
  });

  test('finds a key that was added, and wrapped by a secret key that came later', async () => {
    const secretKeys: Keys = [secretKey];
    const { keys, seal, open } = await makeVault(secretKeys);
    secretKeys.unshift(other);
    keys.stored.push(newDataKey(other));
    expect((await open(await seal())).reveal()).toBe('correct horse');
  });

  test('says that secrets are away, and no more, while it lacks the secret key of a key that was added', async () => {
    const secretKeys: Keys = [secretKey];
    const { keys, seal } = await makeVault(secretKeys);
    keys.stored.push(newDataKey(other));
    await expect(seal()).rejects.toThrow(StoreUnavailableError);
    secretKeys.push(other);
    expect(dataKeyIdOf(await seal())).toBe(keys.stored.at(-1)?.id);
  });

  test('goes on opening what was sealed with a key that is gone from the store', async () => {
    const { keys, seal, open } = await makeVault();
    const sealed = await seal();
    keys.stored = [newDataKey(secretKey)];
    expect((await open(sealed)).reveal()).toBe('correct horse');
  });

  test('is not opened when the data key in the store is another than its id says', async () => {
    const { wrapped } = newDataKey(secretKey);
    await expect(makeVault([secretKey], new MemoryKeys({ id: '00000000', wrapped }))).rejects.toThrow(
      WrongSecretKeyError,
    );
  });
});

describe('a wrapped data key', () => {
  test('cannot be read without the secret key', () => {
    const wrapped = Buffer.from(newDataKey(secretKey).wrapped, 'base64');
    // Nonce, tag, and the 44 characters of a key in base64.
    expect(wrapped).toHaveLength(12 + 16 + 44);
    expect(wrapped.subarray(28).toString('latin1')).not.toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  test('is the same key when another secret key wraps it, which alone opens it then', async () => {
    const { keys, seal } = await makeVault();
    const sealed = await seal();
    const [key] = keys.stored;
    if (key === undefined) throw new Error('no key');
    const rewrapped = rewrap(key, [secretKey], other);
    expect([isWrappedBy(secretKey, rewrapped), isWrappedBy(other, rewrapped)]).toEqual([false, true]);
    const { open } = await makeVault([other], new MemoryKeys(rewrapped));
    expect((await open(sealed)).reveal()).toBe('correct horse');
  });

  test('is not wrapped anew by those who cannot open it', () => {
    expect(() => rewrap(newDataKey(secretKey), [other], other)).toThrow(WrongSecretKeyError);
  });
});
