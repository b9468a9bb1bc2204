import type { SecretKeys } from '../../secrets/keyring.ts';
import { newDataKey } from '../../secrets/keyring.ts';
import type { Ports } from '../ports.ts';

/** Makes the first data key of a new store. Of servers that start together, one makes it. */
export async function ensureDataKey({ store }: Pick<Ports, 'store'>, secretKeys: SecretKeys): Promise<void> {
  if ((await store.reads.dataKeys.all()).length > 0) return;
  const [secretKey] = secretKeys();
  await store.transaction(records => records.dataKeys.addFirst(newDataKey(secretKey)));
}
