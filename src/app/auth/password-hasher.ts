import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../domain/errors.ts';
import type { Secret } from '../../domain/secret.ts';
import type { QueueGroup } from '../../lib/fair-queue.ts';
import { FairQueue } from '../../lib/fair-queue.ts';

/** Returns an error if too many hashes are queued. */
export interface PasswordHasher {
  hash(password: Secret): Promise<string | AppError>;
  /** `caller`: the network of the client. */
  verify(passwordHash: string, password: Secret, caller: QueueGroup): Promise<boolean | AppError>;
}

/** The first choice of OWASP for Argon2id: 19 MiB, two iterations, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each hash uses 19 MiB and one core. */
const MAX_CONCURRENT = 2;
/** About one second. */
const MAX_QUEUED = 100;
/** Clients that set a password or send the password of another account. */
export const SIGNED_IN: QueueGroup = { name: 'signed in', isPrivileged: true };
const MAX_QUEUED_CHANGES = 8;

const hasherBusy = new AppError('server_busy', 'too many password checks are queued; retry', { retryAfterS: 1 });

export function argon2Hasher(cost = COST): PasswordHasher {
  const queue = new FairQueue(MAX_CONCURRENT, MAX_QUEUED);
  return {
    hash: async password =>
      (await queue.tryRun(SIGNED_IN, () => hash(password.reveal(), cost), MAX_QUEUED_CHANGES)) ?? hasherBusy,
    verify: async (passwordHash, password, caller) =>
      (await queue.tryRun(caller, () => verify(passwordHash, password.reveal()))) ?? hasherBusy,
  };
}
