import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestDatabase, describeByStore, openTestDatabase } from '../../test/harness/stores/stores.ts';
import { Secret, serviceKeyLocation } from '../domain/secret.ts';
import { openVault } from '../secrets/keyring.ts';
import { ensureDataKey, ensureServiceKey } from './initialize-store.ts';

describeByStore(
  kind => `ensureServiceKey on ${kind}`,
  kind => {
    test('creates the key once on concurrent starts and seals it', async () => {
      const database = await createTestDatabase(kind, { isMigrated: true });
      const store = await openTestDatabase(database);
      const secretKey = randomBytes(32);
      const keys = () => [secretKey] as const;
      // Two servers start together with a new store.
      await Promise.all([ensureDataKey({ store }, keys), ensureDataKey({ store }, keys)]);
      expect(await store.reads.dataKeys.listAll()).toHaveLength(1);
      const vault = await openVault(keys, store.reads.dataKeys);
      const ensureKey = (name: string) =>
        ensureServiceKey({ store, vault }, () => ({
          publicKey: `public key of ${name}`,
          privateKey: new Secret(`private key of ${name}`),
        }));
      await Promise.all([ensureKey('one'), ensureKey('two')]);
      await ensureKey('three');
      const serviceKey = await store.reads.serviceKey.get();
      if (serviceKey === undefined) throw new Error('the service key is missing');
      const decrypted = (await vault.open(serviceKey.privateKey, serviceKeyLocation, store.reads.dataKeys)).reveal();
      expect(decrypted).toBe(serviceKey.publicKey.replace('public', 'private'));
      expect(decrypted).not.toContain('three');
      expect(serviceKey.privateKey).toMatch(/^v1\./);
      await store.close();
      await database.remove();
    });
  },
);
