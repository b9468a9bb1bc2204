import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Sealed, SealedPlace, WrappedKey } from '../domain/secret.ts';
import { Secret } from '../domain/secret.ts';
import type { WrappedKeys } from './keyring.ts';
import { openVault, WrongSecretKey } from './keyring.ts';

/** Keeps the first key that it is given, and counts what it was asked to keep. */
class MemoryKeys implements WrappedKeys {
  kept: WrappedKey | undefined;
  offered = 0;

  async all() {
    return this.kept ? [this.kept] : [];
  }

  async addFirst(key: WrappedKey) {
    this.offered += 1;
    this.kept ??= key;
  }
}

const secretKey = randomBytes(32);
const place: SealedPlace = { table: 'host_access', row: '127.0.0.1', column: 'ssh_priv_key' };
const secret = new Secret('correct horse');

describe('a vault', () => {
  test('opens what it sealed, also after the next start', async () => {
    const keys = new MemoryKeys();
    const sealed = (await openVault(secretKey, keys)).seal(secret, place);
    const again = await openVault(secretKey, keys);
    expect(again.open(sealed, place).equals(secret)).toBe(true);
    expect(keys.offered).toBe(1);
  });

  test('never seals to the same value twice, and shows neither text nor place in it', async () => {
    const vault = await openVault(secretKey, new MemoryKeys());
    const [one, two] = [vault.seal(secret, place), vault.seal(secret, place)];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9+/]+=*$/);
    expect(one).not.toContain(Buffer.from('correct horse').toString('base64').slice(0, 8));
  });

  test.each<[string, SealedPlace]>([
    ['row', { ...place, row: '10.0.0.2' }],
    ['column', { ...place, column: 'password' }],
    ['table', { ...place, table: 'accounts' }],
    ['row that only reads the same', { table: 'host_access","10.0.0.1', row: 'ssh_priv_key', column: '' }],
  ])('does not open a value that was moved to another %s', async (_what, other) => {
    const vault = await openVault(secretKey, new MemoryKeys());
    const sealed = vault.seal(secret, place);
    expect(() => vault.open(sealed, other)).toThrow();
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
    const vault = await openVault(secretKey, new MemoryKeys());
    const changed = change(vault.seal(secret, place)) as Sealed;
    expect(() => vault.open(changed, place)).toThrow();
  });

  test('is not opened by another secret key, which leaves the store as it was', async () => {
    const keys = new MemoryKeys();
    const sealed = (await openVault(secretKey, keys)).seal(secret, place);
    const before = keys.kept;
    await expect(openVault(randomBytes(32), keys)).rejects.toThrow(WrongSecretKey);
    expect([keys.kept, keys.offered]).toEqual([before, 1]);
    expect((await openVault(secretKey, keys)).open(sealed, place).reveal()).toBe('correct horse');
  });

  test('seals with the newest of several keys, and opens what an older one sealed', async () => {
    const [old, renewed] = [new MemoryKeys(), new MemoryKeys()];
    const sealed = (await openVault(secretKey, old)).seal(secret, place);
    await openVault(secretKey, renewed);
    const both = {
      ...renewed,
      addFirst: async () => {},
      all: async () => [...(await old.all()), ...(await renewed.all())],
    };
    const vault = await openVault(secretKey, both);
    expect(vault.open(sealed, place).reveal()).toBe('correct horse');
    expect(vault.seal(secret, place).split('.')[1]).toBe(renewed.kept?.id);
  });

  test('is not opened when the data key in the store is another than its id says', async () => {
    const keys = new MemoryKeys();
    await openVault(secretKey, keys);
    keys.kept = { id: '00000000', wrapped: keys.kept?.wrapped ?? '' };
    await expect(openVault(secretKey, keys)).rejects.toThrow(WrongSecretKey);
  });

  test('has one key for two servers that start together', async () => {
    const keys = new MemoryKeys();
    const [one, two] = await Promise.all([openVault(secretKey, keys), openVault(secretKey, keys)]);
    expect(keys.offered).toBe(2);
    expect(two.open(one.seal(secret, place), place).reveal()).toBe('correct horse');
    expect(one.open(two.seal(secret, place), place).reveal()).toBe('correct horse');
  });

  test('refuses one of two servers that start together with different secret keys', async () => {
    const keys = new MemoryKeys();
    const starts = await Promise.allSettled([openVault(secretKey, keys), openVault(randomBytes(32), keys)]);
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('holds a data key that the store cannot read', async () => {
    const keys = new MemoryKeys();
    await openVault(secretKey, keys);
    const wrapped = Buffer.from(keys.kept?.wrapped ?? '', 'base64');
    // Nonce, tag, and the 44 characters of a key in base64.
    expect(wrapped).toHaveLength(12 + 16 + 44);
    expect(wrapped.subarray(28).toString('latin1')).not.toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });
});
