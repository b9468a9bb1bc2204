import { requireServiceKey } from '../../domain/secret.ts';
import type { Ports } from '../ports.ts';

/** What hosts put into `authorized_keys` that enrol without a key of theirs. */
export async function readPublicKey({ store }: Ports): Promise<string> {
  return requireServiceKey(await store.reads.identity.get()).publicKey;
}
