import type { Ports } from '../ports.ts';

/** What hosts put into `authorized_keys` that enrol without a key of theirs. */
export async function readPublicKey({ store }: Ports): Promise<string> {
  const identity = await store.reads.identity.get();
  if (identity === undefined)
    throw new Error('the service has no identity, although it makes one at its start');
  return identity.publicKey;
}
