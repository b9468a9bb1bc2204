import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOutboxEntries } from '../../test/harness/events/outbox-entries.ts';
import { openStoredRows } from '../../test/harness/stores/database-inspection.ts';
import type { TestDatabase } from '../../test/harness/stores/stores.ts';
import { createTestDatabase, describeByStore, openTestDatabase } from '../../test/harness/stores/stores.ts';
import { IS_LONG_RUN } from '../../test/harness/vitest/long-run.ts';
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

/** Enough hosts for several batches. */
const HOSTS = IS_LONG_RUN ? 250 : 120;
/** This host uses the SSH key of the service. */
const KEYLESS_INDEX = 7;
const addressAt = (index: number) => `127.0.${Math.floor(index / 250)}.${index % 250}` as Address;
const kube = toRecordName('kube');
const chat = toRecordName('chat');
const noProgress: RotationProgress = { onStart: () => {}, onProgress: () => {} };

type Keys = ReturnType<SecretKeys>;

function atLeastOne([first, ...others]: readonly Buffer[]): Keys {
  if (first === undefined) throw new Error('no secret key left');
  return [first, ...others];
}

/** Secret keys in memory instead of a file. */
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

describeByStore(
  kind => `rotateKeys on ${kind}`,
  kind => {
    let folder: TestDatabase;
    let store: Store;
    let vault: Vault;
    const { source, stored } = memoryKeySource();
    const ports = () => ({ store, clock: systemClock, vault });

    beforeAll(async () => {
      folder = await createTestDatabase(kind, { isMigrated: true });
      store = await openTestDatabase(folder);
      await ensureDataKey({ store }, source.keys);
      vault = await openVault(source.keys, store.reads.dataKeys);
      const pair = { publicKey: 'ssh-ed25519 x', privateKey: new Secret('the service key') };
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
        const leaveTask = { ...leave, containerManager: record, host: addressAt(0), enrolment: 'e' };
        await records.tasks.insert([leaveTask], 0);
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
          index === KEYLESS_INDEX ? null : await vault.seal(secret, sshPrivateKeyLocation(address), records.dataKeys),
      });
    }

    /** Decrypts all sealed values with only the given secret keys. */
    async function readAll(secretKeys = stored.keys) {
      const { dataKeys, hostAccess, driverRecords, serviceKey: serviceKeyReads, webhooks, tasks } = store.reads;
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
      const serviceKey = await serviceKeyReads.get();
      const webhook = await webhooks.get(chat);
      return {
        hosts,
        token: await openToken((await driverRecords.get('container_manager', kube))?.sealedOptions['token'] as never),
        tokenInTask: await openToken(
          (leave?.kind === 'leave' && leave.containerManager?.sealedOptions['token']) as never,
        ),
        serviceKey: serviceKey && (await fresh.open(serviceKey.privateKey, serviceKeyLocation, dataKeys)).reveal(),
        url: webhook && (await fresh.open(webhook.sealedUrl, webhookLocation(chat, 'url'), dataKeys)).reveal(),
        secret: webhook && (await fresh.open(webhook.sealedSecret, webhookLocation(chat, 'secret'), dataKeys)).reveal(),
      };
    }

    const expected = {
      hosts: Array.from({ length: HOSTS }, (_, index) =>
        index === KEYLESS_INDEX ? null : `the key of ${addressAt(index)}`,
      ),
      token: 'the token',
      tokenInTask: 'the token',
      serviceKey: 'the service key',
      url: 'the url of chat',
      secret: 'the secret of chat',
    };
    const dataKeyIds = async () => (await store.reads.dataKeys.listAll()).map(({ id }) => id);

    test('keeps every secret readable with a new data key and a new secret key', async () => {
      const [before, oldKeys] = [await dataKeyIds(), stored.keys];
      await rotateKeys(ports(), source, noProgress);
      const after = await dataKeyIds();
      expect(after).toHaveLength(1);
      expect(after).not.toEqual(before);
      expect(stored.keys).toHaveLength(1);
      expect(await readAll()).toEqual(expected);
      await expect(readAll(oldKeys)).rejects.toThrow(WrongSecretKeyError);
    });

    test('leaves no row of any table sealed with the old key', async () => {
      const [before = ''] = await dataKeyIds();
      const stored = await openStoredRows(folder);
      expect(await stored.read()).toContain(`v1.${before}.`);
      await rotateKeys(ports(), source, noProgress);
      expect(await stored.read()).not.toContain(`v1.${before}.`);
      await stored.close();
    });

    test('emits data_key.rotated', async () => {
      const items = await listOutboxEntries(store, { type: 'data_key.rotated' });
      expect(items.slice(-1)).toMatchObject([{ subject: (await dataKeyIds())[0], actor: '' }]);
    });

    test.each([0, 1, 2, 3, 5])(
      'loses nothing if it is interrupted after %d batches, and the next rotation resumes it',
      async batches => {
        let remaining = batches;
        const interrupting: RotationProgress = {
          onStart: () => {
            if (batches === 0) throw new Error('interrupted');
          },
          onProgress: () => {
            remaining -= 1;
            if (remaining === 0) throw new Error('interrupted');
          },
        };
        await expect(rotateKeys(ports(), source, interrupting)).rejects.toThrow('interrupted');
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

    test('seals values that are written during the rotation with the new key', async () => {
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

    test('removes no key that a newer rotation needs', async () => {
      const resume = Promise.withResolvers<void>();
      const pauseReached = Promise.withResolvers<void>();
      let sealedRows = 0;
      // Paused before it finishes: its last pass has found no row to re-encrypt.
      const slowRotation = rotateKeys({ ...ports(), store: { ...store, transaction: run => pauseOnce(run) } }, source, {
        ...noProgress,
        onProgress: sealed => (sealedRows = sealed),
      });
      let isPaused = false;
      async function pauseOnce<T>(run: (records: Repositories) => Promise<T>): Promise<T> {
        const result = await store.transaction(run);
        const keys = await store.reads.dataKeys.listAll();
        if (sealedRows >= HOSTS && keys.length > 1 && !isPaused) {
          isPaused = true;
          pauseReached.resolve();
          await resume.promise;
        }
        return result;
      }
      await pauseReached.promise;
      await rotateKeys(ports(), source, noProgress);
      const onStart = () => {
        throw new Error('interrupted');
      };
      await expect(rotateKeys(ports(), source, { ...noProgress, onStart })).rejects.toThrow('interrupted');
      resume.resolve();
      await slowRotation;
      expect(await readAll()).toEqual(expected);
      await rotateKeys(ports(), source, noProgress);
      expect(await readAll()).toEqual(expected);
      expect(await dataKeyIds()).toHaveLength(1);
    });

    test('wraps with a secret key that was added while the rotation was interrupted', async () => {
      const manualSource: SecretKeySource = {
        keys: () => stored.keys,
        manualInstructions: 'add a new secret key first',
      };
      const onStart = () => {
        throw new Error('interrupted');
      };
      stored.keys = [randomBytes(32), ...stored.keys];
      await expect(rotateKeys(ports(), manualSource, { ...noProgress, onStart })).rejects.toThrow('interrupted');
      stored.keys = [randomBytes(32), ...stored.keys];
      await rotateKeys(ports(), manualSource, noProgress);
      stored.keys = [stored.keys[0]];
      expect(await readAll()).toEqual(expected);
    });

    test('ends with one data key if two rotations run concurrently', async () => {
      await Promise.all([rotateKeys(ports(), source, noProgress), rotateKeys(ports(), source, noProgress)]);
      expect(await dataKeyIds()).toHaveLength(1);
      expect(await readAll()).toEqual(expected);
    });

    test('changes nothing and reports the instructions if an administrator must add the secret key', async () => {
      const before = await store.reads.dataKeys.listAll();
      const manualSource: SecretKeySource = {
        keys: source.keys,
        manualInstructions: 'add a new secret key first',
      };
      await expect(rotateKeys(ports(), manualSource, noProgress)).rejects.toThrow('add a new secret key first');
      expect(await store.reads.dataKeys.listAll()).toEqual(before);
    });

    test('uses a secret key that an administrator added, and keeps both keys', async () => {
      const old = stored.keys;
      stored.keys = [randomBytes(32), ...old];
      await rotateKeys(ports(), { keys: source.keys, manualInstructions: '' }, noProgress);
      expect(stored.keys).toHaveLength(2);
      await expect(readAll(old)).rejects.toThrow(WrongSecretKeyError);
      expect(await readAll([stored.keys[0]])).toEqual(expected);
    });
  },
);
