// On both stores, with the real repositories: what rotation promises, also when it is cut off at any moment.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toldIn } from '../../../test/harness/events/told.ts';
import { openStoredRows } from '../../../test/harness/stores/stored-rows.ts';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describeStores, makeStorePlace, openPlace } from '../../../test/harness/stores/stores.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { newHost } from '../../domain/hosts/host.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { Vault } from '../../domain/secret.ts';
import {
  optionLocation,
  Secret,
  serviceKeyLocation,
  sshPrivateKeyLocation,
  webhookLocation,
} from '../../domain/secret.ts';
import { initialProgress } from '../../domain/webhooks/webhook.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { SecretKeys } from '../../secrets/keyring.ts';
import { dataKeyIdOf, openVault, WrongSecretKeyError } from '../../secrets/keyring.ts';
import type { Records } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { ensureIdentity } from '../identity/ensure-identity.ts';
import { ensureDataKey } from './ensure-data-key.ts';
import type { RotationSteps, SecretKeyPlace } from './rotate-keys.ts';
import { rotateKeys } from './rotate-keys.ts';

/** Several parts of them are sealed, each in a transaction. */
const HOSTS = process.env['HOSTLER_TEST_ALL'] ? 250 : 120;
/** One that is reached by the service's own key. */
const KEYLESS = 7;
const addressOf = (index: number) => `127.0.${Math.floor(index / 250)}.${index % 250}` as Address;
const kube = toRecordName('kube');
const chat = toRecordName('chat');
const quiet: RotationSteps = { began: () => {}, progressed: () => {} };

type Keys = ReturnType<SecretKeys>;

function atLeastOne([first, ...others]: readonly Buffer[]): Keys {
  if (first === undefined) throw new Error('no key is left');
  return [first, ...others];
}

/** Secret keys as a file has them. */
function memoryPlace() {
  const kept: { keys: Keys } = { keys: [randomBytes(32)] };
  const place: SecretKeyPlace = {
    keys: () => kept.keys,
    addNew: () => {
      kept.keys = [randomBytes(32), ...kept.keys];
    },
    keepOnly: keys => {
      kept.keys = atLeastOne(keys);
    },
  };
  return { place, kept };
}

describeStores(
  kind => `rotating keys, on ${kind}`,
  kind => {
    let folder: StorePlace;
    let store: Store;
    let vault: Vault;
    const { place, kept } = memoryPlace();
    const ports = () => ({ store, clock: systemClock, vault });

    beforeAll(async () => {
      folder = await makeStorePlace(kind);
      store = await openPlace(folder);
      await ensureDataKey({ store }, place.keys);
      vault = await openVault(place.keys, store.reads.dataKeys);
      const pair = { publicKey: 'ssh-ed25519 x', privateKey: new Secret('the identity') };
      await ensureIdentity({ store, vault }, () => pair);
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
        const work = { ...leave, containerManager: record, host: addressOf(0), enrolment: 'e' };
        await records.work.save([work]);
      });
    });
    afterAll(async () => {
      await store.close();
      await folder.remove();
    });

    async function makeWebhook(records: Records) {
      const seal = (column: 'url' | 'secret') =>
        vault.seal(new Secret(`the ${column} of chat`), webhookLocation(chat, column), records.dataKeys);
      await records.webhooks.insertOrLock({
        ...{ name: chat, events: ['*'], revision: 'r', createdAt: 'now' },
        ...{ sealedUrl: await seal('url'), sealedSecret: await seal('secret') },
        ...{ progress: initialProgress(0), claimedUntilMs: 0, fence: 0 },
      });
    }

    async function enrol(records: Records, index: number) {
      const address = addressOf(index);
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
    async function readAll(secretKeys = kept.keys) {
      const { dataKeys, hostAccess, driverRecords, identity, webhooks, work } = store.reads;
      const fresh = await openVault(() => secretKeys, dataKeys);
      const openToken = async (sealed = {} as never) =>
        (await fresh.open(sealed, optionLocation('container_manager', kube, 'token'), dataKeys)).reveal();
      const hosts = [];
      for (let index = 0; index < HOSTS; index += 1) {
        const access = await hostAccess.get(addressOf(index));
        const opened =
          access?.sshPrivKey &&
          (await fresh.open(access.sshPrivKey, sshPrivateKeyLocation(addressOf(index)), dataKeys));
        hosts.push(opened ? opened.reveal() : access?.sshPrivKey);
      }
      const [leave] = await work.of(addressOf(0));
      const own = await identity.get();
      const hook = await webhooks.get(chat);
      return {
        hosts,
        token: await openToken(
          (await driverRecords.get('container_manager', kube))?.sealedOptions['token'] as never,
        ),
        tokenInWork: await openToken(
          (leave?.kind === 'leave' && leave.containerManager?.sealedOptions['token']) as never,
        ),
        identity: own && (await fresh.open(own.privateKey, serviceKeyLocation, dataKeys)).reveal(),
        url: hook && (await fresh.open(hook.sealedUrl, webhookLocation(chat, 'url'), dataKeys)).reveal(),
        secret:
          hook && (await fresh.open(hook.sealedSecret, webhookLocation(chat, 'secret'), dataKeys)).reveal(),
      };
    }

    const expected = {
      hosts: Array.from({ length: HOSTS }, (_, index) =>
        index === KEYLESS ? null : `the key of ${addressOf(index)}`,
      ),
      token: 'the token',
      tokenInWork: 'the token',
      identity: 'the identity',
      url: 'the url of chat',
      secret: 'the secret of chat',
    };
    const dataKeyIds = async () => (await store.reads.dataKeys.all()).map(({ id }) => id);

    test('every secret is the same afterwards, under another data key and another secret key', async () => {
      const [before, oldKeys] = [await dataKeyIds(), kept.keys];
      await rotateKeys(ports(), place, quiet);
      const after = await dataKeyIds();
      expect(after).toHaveLength(1);
      expect(after).not.toEqual(before);
      expect(kept.keys).toHaveLength(1);
      expect(await readAll()).toEqual(expected);
      await expect(readAll(oldKeys)).rejects.toThrow(WrongSecretKeyError);
    });

    test('no row, of whatever table, names the old key any more', async () => {
      const [before = ''] = await dataKeyIds();
      const stored = await openStoredRows(folder);
      expect(await stored.read()).toContain(`v1.${before}.`);
      await rotateKeys(ports(), place, quiet);
      expect(await stored.read()).not.toContain(`v1.${before}.`);
      await stored.close();
    });

    test('is on record', async () => {
      const items = await toldIn(store, { type: 'data_key.rotated' });
      expect(items.slice(-1)).toMatchObject([{ subject: (await dataKeyIds())[0], actor: '' }]);
    });

    test.each([0, 1, 2, 3, 5])(
      'a rotation that is cut off after %d parts loses nothing, and the next one goes on with it',
      async parts => {
        let left = parts;
        const cutOff: RotationSteps = {
          began: () => {
            if (parts === 0) throw new Error('cut off');
          },
          progressed: () => {
            left -= 1;
            if (left === 0) throw new Error('cut off');
          },
        };
        await expect(rotateKeys(ports(), place, cutOff)).rejects.toThrow('cut off');
        expect(await dataKeyIds()).toHaveLength(2);
        expect(await readAll()).toEqual(expected);
        let wasResumed = false;
        const began = (isResumed: boolean) => {
          wasResumed = isResumed;
        };
        await rotateKeys(ports(), place, { ...quiet, began });
        expect(wasResumed).toBe(true);
        expect([await dataKeyIds(), kept.keys]).toEqual([[expect.any(String)], [expect.any(Buffer)]]);
        expect(await readAll()).toEqual(expected);
      },
    );

    test('what others seal meanwhile is sealed with the new key', async () => {
      const during: number[] = [];
      let [next, writing] = [HOSTS, Promise.resolve()];
      const began = () => {
        writing = (async () => {
          for (let count = 0; count < 20; count += 1) {
            const index = next;
            next += 1;
            await store.transaction(records => enrol(records, index));
            during.push(index);
          }
        })();
      };
      await rotateKeys(ports(), place, { ...quiet, began });
      await writing;
      const [newest = ''] = await dataKeyIds();
      for (const index of during) {
        const access = await store.reads.hostAccess.get(addressOf(index));
        expect(access?.sshPrivKey && dataKeyIdOf(access.sshPrivKey)).toBe(newest);
      }
      expect(during).toHaveLength(20);
    });

    test('one that is overtaken by others takes no key away that they need', async () => {
      const held = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      let sealedRows = 0;
      // Held before it finishes: its last walk has found nothing left.
      const slow = rotateKeys(
        { ...ports(), store: { ...store, transaction: work => pausing(work) } },
        place,
        { ...quiet, progressed: sealed => (sealedRows = sealed) },
      );
      let isHeld = false;
      async function pausing<T>(work: (records: Records) => Promise<T>): Promise<T> {
        const answer = await store.transaction(work);
        const keys = await store.reads.dataKeys.all();
        if (sealedRows >= HOSTS && keys.length > 1 && !isHeld) {
          isHeld = true;
          reached.resolve();
          await held.promise;
        }
        return answer;
      }
      await reached.promise;
      await rotateKeys(ports(), place, quiet);
      const began = () => {
        throw new Error('cut off');
      };
      await expect(rotateKeys(ports(), place, { ...quiet, began })).rejects.toThrow('cut off');
      held.resolve();
      await slow;
      expect(await readAll()).toEqual(expected);
      await rotateKeys(ports(), place, quiet);
      expect(await readAll()).toEqual(expected);
      expect(await dataKeyIds()).toHaveLength(1);
    });

    test('a key that was put before the others while a rotation was cut off is the one to keep', async () => {
      const byHand: SecretKeyPlace = { keys: () => kept.keys, howToAdd: 'write a new one before it' };
      const began = () => {
        throw new Error('cut off');
      };
      kept.keys = [randomBytes(32), ...kept.keys];
      await expect(rotateKeys(ports(), byHand, { ...quiet, began })).rejects.toThrow('cut off');
      kept.keys = [randomBytes(32), ...kept.keys];
      await rotateKeys(ports(), byHand, quiet);
      kept.keys = [kept.keys[0]];
      expect(await readAll()).toEqual(expected);
    });

    test('two at the same time end in one key, and everything can be read', async () => {
      await Promise.all([rotateKeys(ports(), place, quiet), rotateKeys(ports(), place, quiet)]);
      expect(await dataKeyIds()).toHaveLength(1);
      expect(await readAll()).toEqual(expected);
    });

    test('a key that only a person can replace is asked for, and nothing changes', async () => {
      const before = await store.reads.dataKeys.all();
      const byHand: SecretKeyPlace = { keys: place.keys, howToAdd: 'write a new one before it' };
      await expect(rotateKeys(ports(), byHand, quiet)).rejects.toThrow('write a new one before it');
      expect(await store.reads.dataKeys.all()).toEqual(before);
    });

    test('a key that a person put before the old one is taken, and both are left for the person to clear', async () => {
      const old = kept.keys;
      kept.keys = [randomBytes(32), ...old];
      await rotateKeys(ports(), { keys: place.keys, howToAdd: '' }, quiet);
      expect(kept.keys).toHaveLength(2);
      await expect(readAll(old)).rejects.toThrow(WrongSecretKeyError);
      expect(await readAll([kept.keys[0]])).toEqual(expected);
    });
  },
);
