import type { KeyObject } from 'node:crypto';
import { createSecretKey, randomBytes } from 'node:crypto';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { logKeyLocation, Secret } from '../../domain/secret.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import type { Ports } from '../ports.ts';

const KEY_BYTES = 32;

/** The key of the log's chain; `undefined`: none was made yet. */
export async function openLogKey({
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
    throw new PlainError(
      'the signing key of the audit log (table log_keys) cannot be decrypted: it was replaced or damaged; restore a backup of the store',
    );
  }
}

/** The key of the log's chain, made at the first start. Of servers that start together, one makes it. */
export async function ensureLogKey(ports: Pick<Ports, 'store' | 'vault'>): Promise<KeyObject> {
  const { store, vault } = ports;
  const known = await openLogKey(ports);
  if (known) return known;
  if ((await store.reads.log.state()).lastId > 0)
    throw new PlainError(
      'the signing key of the audit log (table log_keys) is missing: it was deleted; restore a backup of the store',
    );
  const key = new Secret(randomBytes(KEY_BYTES).toString('base64'));
  await store.transaction(async records =>
    records.logKeys.addFirst(await vault.seal(key, logKeyLocation, records.dataKeys)),
  );
  const made = await openLogKey(ports);
  if (made === undefined) throw new Error('the signing key of the audit log is missing');
  return made;
}
