// On both stores, with the real repositories: what rotation promises, also when it is cut off at any moment.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toldIn } from '../../test/harness/events/told.ts';
import { openStoredRows } from '../../test/harness/stores/stored-rows.ts';
import type { StorePlace } from '../../test/harness/stores/stores.ts';
import { describeStores, makeStorePlace, openPlace } from '../../test/harness/stores/stores.ts';
import type { Address } from '../domain/addresses/address.ts';
import { newHost } from '../domain/hosts/host.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { Vault } from '../domain/secret.ts';
import {
  optionLocation,
  Secret,
  serviceKeyLocation,
  sshPrivateKeyLocation,
  webhookLocation,
} from '../domain/secret.ts';
import { initialProgress } from '../domain/webhooks/webhook.ts';
import { systemClock } from '../lib/time/clock.ts';
import type { SecretKeys } from '../secrets/keyring.ts';
import { dataKeyIdOf, openVault, WrongSecretKeyError } from '../secrets/keyring.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { Store } from '../store/store.ts';
import { ensureDataKey, ensureServiceKey } from './initialize-store.ts';
import type { RotationProgress, SecretKeySource } from './rotate-keys.ts';
import { rotateKeys } from './rotate-keys.ts';

/** Several parts of them are sealed, each in a transaction. */
const HOSTS = process.env['HOSTLER_TEST_ALL'] ? 250 : 120;
/** One that is reached by the service's own key. */
const KEYLESS = 7;
const addressAt = (index: number) => `127.0.${Math.floor(index / 250)}.${index % 250}` as Address;
const kube = toRecordName('kube');
const chat = toRecordName('chat');
const noProgress: RotationProgress = { onStart: () => {}, onProgress: () => {} };

type Keys = ReturnType<SecretKeys>;

function atLeastOne([first, ...others]: readonly Buffer[]): Keys {
  if (first === undefined) throw new Error('no key is left');
  return [first, ...others];
}

/** Secret keys as a file has them. */
function memoryKeySource() {
  const stored: { keys: Keys } = { keys: [randomBytes(32)] };
  const source: SecretKeySource = {
    keys: () => stored.keys,
    prependNew: () => {
      stored.keys = [randomBytes(32), ...stored.keys];
    },
    retainOnly: keys => {
      stored.keys = atLeastOne(keys);
    },
  };
  return { source, stored };
}

describeStores(
  kind => `rotating keys, on ${kind}`,
  kind => {
    let folder: StorePlace;
    let store: Store;
    let vault: Vault;
    const { source, stored } = memoryKeySource();
    const ports = () => ({ store, clock: systemClock, vault });

    beforeAll(async () => {
      folder = await makeStorePlace(kind);
      store = await openPlace(folder);
      await ensureDataKey({ store }, source.keys);
      vault = await openVault(source.keys, store.reads.dataKeys);
      const pair = { publicKey: 'ssh-ed25519 x', privateKey: new Secret('the identity') };
      await ensureServiceKey({ store, vault }, () => pair);
      await store.transaction(makeWebhook);
      await store.transaction(async records => {
        const token = optionLocation('container_manager', kube, 'token');
        const record = {
          name: kube,
          type: 'kubernetes',
          options: { server_url: 'https://127.0.0.1' },
          sealedOptions: { token: await vault.seal(new Secret('the token'), token, records.dataKeys) },
          revision: 'r',
        };
        await records.driverRecords.insertOrLock('container_manager', record);
        for (let index = 0; index < HOSTS; index += 1) await enrol(records, index);
        const leave = { kind: 'leave', cluster: toRecordName('c'), network: null, mayBeNode: true } as const;
        const work = { ...leave, containerManager: record, host: addressAt(0), enrolment: 'e' };
        await records.tasks.insert([work]);
      });
    });
    afterAll(async () => {
      await store.close();
      await folder.remove();
    });

    async function makeWebhook(records: Repositories) {
      const seal = (column: 'url' | 'secret') =>
        vault.seal(new Secret(`the ${column} of chat`), webhookLocation(chat, column), records.dataKeys);
      await records.webhooks.insertOrLock({
        ...{ name: chat, events: ['*'], revision: 'r', createdAt: 'now' },
        ...{ sealedUrl: await seal('url'), sealedSecret: await seal('secret') },
        ...{ progress: initialProgress(0), claimedUntilMs: 0, fence: 0 },
      });
    }

    async function enrol(records: Repositories, index: number) {
      const address = addressAt(index);
      await records.hosts.insertOrLock(newHost(address, { enrolment: 'e' }));
      const secret = new Secret(`the key of ${address}`);
      await records.hostAccess.insert(address, {
        remoteUser: 'root',
        sshPort: 22,
        hostKeys: [],
        transport: '',
        pendingHostKey: null,
        enrolledByToken: null,
        sshPrivKey:
          index === KEYLESS
            ? null
            : await vault.seal(secret, sshPrivateKeyLocation(address), records.dataKeys),
      });
    }

    /** All that is sealed, opened by whoever has these secret keys and nothing else. */
    async function readAll(secretKeys = stored.keys) {
      const { dataKeys, hostAccess, driverRecords, serviceKey: identity, webhooks, tasks } = store.reads;
      const fresh = await openVault(() => secretKeys, dataKeys);
      const openToken = async (sealed = {} as never) =>
        (await fresh.open(sealed, optionLocation('container_manager', kube, 'token'), dataKeys)).reveal();
      const hosts = [];
      for (let index = 0; index < HOSTS; index += 1) {
        const access = await hostAccess.get(addressAt(index));
        const opened =
          access?.sshPrivKey &&
          (await fresh.open(access.sshPrivKey, sshPrivateKeyLocation(addressAt(index)), dataKeys));
        hosts.push(opened ? opened.reveal() : access?.sshPrivKey);
      }
      const [leave] = await tasks.list(addressAt(0));
      const serviceKey = await identity.get();
      const webhook = await webhooks.get(chat);
      return {
        hosts,
        token: await openToken(
          (await driverRecords.get('container_manager', kube))?.sealedOptions['token'] as never,
        ),
        tokenInTask: await openToken(
          (leave?.kind === 'leave' && leave.containerManager?.sealedOptions['token']) as never,
        ),
        identity:
          serviceKey && (await fresh.open(serviceKey.privateKey, serviceKeyLocation, dataKeys)).reveal(),
        url:
          webhook && (await fresh.open(webhook.sealedUrl, webhookLocation(chat, 'url'), dataKeys)).reveal(),
        secret:
          webhook &&
          (await fresh.open(webhook.sealedSecret, webhookLocation(chat, 'secret'), dataKeys)).reveal(),
      };
    }

    const expected = {
      hosts: Array.from({ length: HOSTS }, (_, index) =>
        index === KEYLESS ? null : `the key of ${addressAt(index)}`,
      ),
      token: 'the token',
      tokenInTask: 'the token',
      identity: 'the identity',
      url: 'the url of chat',
      secret: 'the secret of chat',
    };
    const dataKeyIds = async () => (await store.reads.dataKeys.all()).map(({ id }) => id);

    test('every secret is the same afterwards, under another data key and another secret key', async () => {
      const [before, oldKeys] = [await dataKeyIds(), stored.keys];
      await rotateKeys(ports(), source, noProgress);
      const after = await dataKeyIds();
      expect(after).toHaveLength(1);
      expect(after).not.toEqual(before);
      expect(stored.keys).toHaveLength(1);
      expect(await readAll()).toEqual(expected);
      await expect(readAll(oldKeys)).rejects.toThrow(WrongSecretKeyError);
    });

    test('no row, of whatever table, names the old key any more', async () => {
      const [before = ''] = await dataKeyIds();
      const stored = await openStoredRows(folder);
      expect(await stored.read()).toContain(`v1.${before}.`);
      await rotateKeys(ports(), source, noProgress);
      expect(await stored.read()).not.toContain(`v1.${before}.`);
      await stored.close();
    });

    test('is on record', async () => {
      const items = await toldIn(store, { type: 'data_key.rotated' });
      expect(items.slice(-1)).toMatchObject([{ subject: (await dataKeyIds())[0], actor: '' }]);
    });

    test.each([0, 1, 2, 3, 5])(
      'a rotation that is cut off after %d parts loses nothing, and the next one goes on with it',
      async batches => {
        let remaining = batches;
        const interrupting: RotationProgress = {
          onStart: () => {
            if (batches === 0) throw new Error('cut off');
          },
          onProgress: () => {
            remaining -= 1;
            if (remaining === 0) throw new Error('cut off');
          },
        };
        await expect(rotateKeys(ports(), source, interrupting)).rejects.toThrow('cut off');
        expect(await dataKeyIds()).toHaveLength(2);
        expect(await readAll()).toEqual(expected);
        let wasResumed = false;
        const onStart = (isResumed: boolean) => {
          wasResumed = isResumed;
        };
        await rotateKeys(ports(), source, { ...noProgress, onStart });
        expect(wasResumed).toBe(true);
        expect([await dataKeyIds(), stored.keys]).toEqual([[expect.any(String)], [expect.any(Buffer)]]);
        expect(await readAll()).toEqual(expected);
      },
    );

    test('what others seal meanwhile is sealed with the new key', async () => {
      const enrolled: number[] = [];
      let [next, writing] = [HOSTS, Promise.resolve()];
      const onStart = () => {
        writing = (async () => {
          for (let count = 0; count < 20; count += 1) {
            const index = next;
            next += 1;
            await store.transaction(records => enrol(records, index));
            enrolled.push(index);
          }
        })();
      };
      await rotateKeys(ports(), source, { ...noProgress, onStart });
      await writing;
      const [newest = ''] = await dataKeyIds();
      for (const index of enrolled) {
        const access = await store.reads.hostAccess.get(addressAt(index));
        expect(access?.sshPrivKey && dataKeyIdOf(access.sshPrivKey)).toBe(newest);
      }
      expect(enrolled).toHaveLength(20);
    });

    test('one that is overtaken by others takes no key away that they need', async () => {
      const resume = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      let sealedRows = 0;
      // Held before it finishes: its last walk has found nothing left.
      const slow = rotateKeys(
        { ...ports(), store: { ...store, transaction: run => pauseOnce(run) } },
        source,
        { ...noProgress, onProgress: sealed => (sealedRows = sealed) },
      );
      let isPaused = false;
      async function pauseOnce<T>(run: (records: Repositories) => Promise<T>): Promise<T> {
        const result = await store.transaction(run);
        const keys = await store.reads.dataKeys.all();
        if (sealedRows >= HOSTS && keys.length > 1 && !isPaused) {
          isPaused = true;
          reached.resolve();
          await resume.promise;
        }
        return result;
      }
      await reached.promise;
      await rotateKeys(ports(), source, noProgress);
      const onStart = () => {
        throw new Error('cut off');
      };
      await expect(rotateKeys(ports(), source, { ...noProgress, onStart })).rejects.toThrow('cut off');
      resume.resolve();
      await slow;
      expect(await readAll()).toEqual(expected);
      await rotateKeys(ports(), source, noProgress);
      expect(await readAll()).toEqual(expected);
      expect(await dataKeyIds()).toHaveLength(1);
    });

    test('a key that was put before the others while a rotation was cut off is the one to keep', async () => {
      const manualSource: SecretKeySource = {
        keys: () => stored.keys,
        manualInstructions: 'write a new one before it',
      };
      const onStart = () => {
        throw new Error('cut off');
      };
      stored.keys = [randomBytes(32), ...stored.keys];
      await expect(rotateKeys(ports(), manualSource, { ...noProgress, onStart })).rejects.toThrow('cut off');
      stored.keys = [randomBytes(32), ...stored.keys];
      await rotateKeys(ports(), manualSource, noProgress);
      stored.keys = [stored.keys[0]];
      expect(await readAll()).toEqual(expected);
    });

    test('two at the same time end in one key, and everything can be read', async () => {
      await Promise.all([rotateKeys(ports(), source, noProgress), rotateKeys(ports(), source, noProgress)]);
      expect(await dataKeyIds()).toHaveLength(1);
      expect(await readAll()).toEqual(expected);
    });

    test('a key that only a person can replace is asked for, and nothing changes', async () => {
      const before = await store.reads.dataKeys.all();
      const manualSource: SecretKeySource = {
        keys: source.keys,
        manualInstructions: 'write a new one before it',
      };
      await expect(rotateKeys(ports(), manualSource, noProgress)).rejects.toThrow(
        'write a new one before it',
      );
      expect(await store.reads.dataKeys.all()).toEqual(before);
    });

    test('a key that a person put before the old one is taken, and both are left for the person to clear', async () => {
      const old = stored.keys;
      stored.keys = [randomBytes(32), ...old];
      await rotateKeys(ports(), { keys: source.keys, manualInstructions: '' }, noProgress);
      expect(stored.keys).toHaveLength(2);
      await expect(readAll(old)).rejects.toThrow(WrongSecretKeyError);
      expect(await readAll([stored.keys[0]])).toEqual(expected);
    });
  },
);
