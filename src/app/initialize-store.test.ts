import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeStores, makeStorePlace, openPlace } from '../../test/harness/stores/stores.ts';
import { Secret, serviceKeyLocation } from '../domain/secret.ts';
import { openVault } from '../secrets/keyring.ts';
import { ensureDataKey, ensureServiceKey } from './initialize-store.ts';

describeStores(
  kind => `the service's own SSH key, on ${kind}`,
  kind => {
    test('is made once, whoever starts first, and kept sealed', async () => {
      const place = await makeStorePlace(kind);
      const store = await openPlace(place);
      const secretKey = randomBytes(32);
      const keys = () => [secretKey] as const;
      // Two servers that start together on a store that is new.
      await Promise.all([ensureDataKey({ store }, keys), ensureDataKey({ store }, keys)]);
      expect(await store.reads.dataKeys.all()).toHaveLength(1);
      const vault = await openVault(keys, store.reads.dataKeys);
      const ensureKey = (name: string) =>
        ensureServiceKey({ store, vault }, () => ({
          publicKey: `public half of ${name}`,
          privateKey: new Secret(`private half of ${name}`),
        }));
      await Promise.all([ensureKey('one'), ensureKey('two')]);
      await ensureKey('three');
      const serviceKey = await store.reads.serviceKey.get();
      if (serviceKey === undefined) throw new Error('there is none');
      const decrypted = (
        await vault.open(serviceKey.privateKey, serviceKeyLocation, store.reads.dataKeys)
      ).reveal();
      expect(decrypted).toBe(serviceKey.publicKey.replace('public', 'private'));
      expect(decrypted).not.toContain('three');
      expect(serviceKey.privateKey).toMatch(/^v1\./);
      await store.close();
      await place.remove();
    });
  },
);
