import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../domain/errors.ts';
import type { Secret } from '../../domain/secret.ts';
import type { QueueGroup } from '../../lib/fair-queue.ts';
import { FairQueue } from '../../lib/fair-queue.ts';

/** Computes and verifies memory-hard hashes of passwords; refuses when it has too many to compute already. */
export interface PasswordHasher {
  hash(password: Secret): Promise<string | AppError>;
  /** `caller` is the network that sent the password. */
  verify(passwordHash: string, password: Secret, caller: QueueGroup): Promise<boolean | AppError>;
}

/** OWASP's first choice for Argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each takes 19 MiB and a core. */
const MAX_CONCURRENT = 2;
/** About a second of waiting. */
const MAX_QUEUED = 100;
/** Callers who are signed in, and change a password or use another one in a request. Few do so at the same moment. */
export const SIGNED_IN: QueueGroup = { name: 'signed in', isPrivileged: true };
const MAX_QUEUED_CHANGES = 8;

const hasherBusy = new AppError('server_busy', 'too many password checks are queued; retry', {
  retryAfterS: 1,
});

export function argon2Hasher(cost = COST): PasswordHasher {
  const queue = new FairQueue(MAX_CONCURRENT, MAX_QUEUED);
  return {
    hash: async password =>
      (await queue.tryRun(SIGNED_IN, () => hash(password.reveal(), cost), MAX_QUEUED_CHANGES)) ?? hasherBusy,
    verify: async (passwordHash, password, caller) =>
      (await queue.tryRun(caller, () => verify(passwordHash, password.reveal()))) ?? hasherBusy,
  };
}
