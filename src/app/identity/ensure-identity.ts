import type { Secret } from '../../domain/secret.ts';
import { serviceKeyLocation } from '../../domain/secret.ts';
import type { Ports } from '../ports.ts';

/** Makes the service's own SSH key at the first start. Of servers that start together, one makes it. */
export async function ensureIdentity(
  { store, vault }: Pick<Ports, 'store' | 'vault'>,
  newKeyPair: (comment: string) => { readonly publicKey: string; readonly privateKey: Secret },
): Promise<void> {
  if (await store.reads.identity.get()) return;
  const { publicKey, privateKey } = newKeyPair('hostler');
  await store.transaction(async records => {
    const sealed = await vault.seal(privateKey, serviceKeyLocation, records.dataKeys);
    await records.identity.addFirst({ publicKey, privateKey: sealed });
  });
}
