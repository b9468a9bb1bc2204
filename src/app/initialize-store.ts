import type { KeyObject } from 'node:crypto';
import { createSecretKey, randomBytes } from 'node:crypto';
import { StoreUnavailableError } from '../domain/errors.ts';
import { DEFAULT_NETWORK } from '../domain/record-name.ts';
import { logKeyLocation, Secret, serviceKeyLocation } from '../domain/secret.ts';
import { OperatorError } from '../lib/errors.ts';
import { newId } from '../lib/random.ts';
import type { SecretKeys } from '../secrets/keyring.ts';
import { newDataKey } from '../secrets/keyring.ts';
import type { Store } from '../store/store.ts';
import type { Ports } from './ports.ts';

// If several servers start together, only one of them creates the keys.

export async function ensureDataKey({ store }: Pick<Ports, 'store'>, secretKeys: SecretKeys): Promise<void> {
  if ((await store.reads.dataKeys.listAll()).length > 0) return;
  const [secretKey] = secretKeys();
  await store.transaction(records => records.dataKeys.insertIfAbsent(newDataKey(secretKey)));
}

export async function ensureServiceKey(
  { store, vault }: Pick<Ports, 'store' | 'vault'>,
  generateKeyPair: (comment: string) => { readonly publicKey: string; readonly privateKey: Secret },
): Promise<void> {
  if (await store.reads.serviceKey.get()) return;
  const { publicKey, privateKey } = generateKeyPair('hostler');
  await store.transaction(async records => {
    const sealed = await vault.seal(privateKey, serviceKeyLocation, records.dataKeys);
    await records.serviceKey.insertIfAbsent({ publicKey, privateKey: sealed });
  });
}

const KEY_BYTES = 32;

/** The key of the hash chain. Undefined before the first start. */
export async function loadEventLogKey({
  store,
  vault,
}: Pick<Ports, 'store' | 'vault'>): Promise<KeyObject | undefined> {
  const sealed = await store.reads.logKeys.get();
  if (sealed === undefined) return undefined;
  try {
    const key = await vault.open(sealed, logKeyLocation, store.reads.dataKeys);
    return createSecretKey(key.reveal(), 'base64');
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    throw new OperatorError(
      'the signing key of the audit log (table log_keys) cannot be decrypted: it was replaced or damaged; restore a backup of the store',
    );
  }
}

export async function ensureEventLogKey(ports: Pick<Ports, 'store' | 'vault'>): Promise<KeyObject> {
  const { store, vault } = ports;
  const existing = await loadEventLogKey(ports);
  if (existing) return existing;
  if ((await store.reads.eventLog.getState()).lastId > 0)
    throw new OperatorError(
      'the signing key of the audit log (table log_keys) is missing: it was deleted; restore a backup of the store',
    );
  const key = new Secret(randomBytes(KEY_BYTES).toString('base64'));
  await store.transaction(async records =>
    records.logKeys.insertIfAbsent(await vault.seal(key, logKeyLocation, records.dataKeys)),
  );
  const created = await loadEventLogKey(ports);
  if (created === undefined) throw new Error('the signing key of the audit log is missing');
  return created;
}

export async function ensureDefaultNetwork(store: Store): Promise<void> {
  const record = { name: DEFAULT_NETWORK, type: 'none', options: {}, sealedOptions: {}, revision: newId() };
  await store.transaction(records => records.driverRecords.insertOrLock('network', record));
}
