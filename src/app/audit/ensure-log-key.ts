import { randomBytes } from 'node:crypto';
import { logKeyPlace } from '../../domain/sealed-places.ts';
import { Secret } from '../../domain/secret.ts';
import type { Ports } from '../ports.ts';

const KEY_BYTES = 32;

/** The key of the log's chain, made at the first start. Of servers that start together, one makes it. */
export async function ensureLogKey({ store, vault }: Pick<Ports, 'store' | 'vault'>): Promise<Buffer> {
  if ((await store.reads.logKeys.get()) === undefined) {
    const key = new Secret(randomBytes(KEY_BYTES).toString('base64'));
    await store.transaction(async records =>
      records.logKeys.addFirst(await vault.seal(key, logKeyPlace, records.dataKeys)),
    );
  }
  const sealed = await store.reads.logKeys.get();
  if (sealed === undefined) throw new Error('the key of the log is gone');
  const key = await vault.open(sealed, logKeyPlace, store.reads.dataKeys);
  return Buffer.from(key.reveal(), 'base64');
}
