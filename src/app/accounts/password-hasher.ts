import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '../../domain/errors.ts';
import type { Secret } from '../../domain/secret.ts';
import { Semaphore } from '../../lib/turns/semaphore.ts';

/** Computes and verifies memory-hard hashes of passwords; refuses when it has too many to compute already. */
export interface PasswordHasher {
  hash(password: Secret): Promise<string | Refusal>;
  verify(passwordHash: string, password: Secret): Promise<boolean | Refusal>;
}

/** OWASP's first choice for Argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each takes 19 MiB and a core. */
const AT_ONCE = 2;
/** A second or so of waiting. */
const WAITING = 100;
/** Few change a password at the same moment; those who try to keep the service busy in this way must not keep others out. */
const CHANGES_WAITING = 8;

const tooBusy = new Refusal('server_busy', 'too many passwords are being checked at this moment; try again', {
  retryAfterS: 1,
});

export function argon2Hasher(cost = COST): PasswordHasher {
  const turns = new Semaphore(AT_ONCE, WAITING);
  return {
    hash: async password => turns.tryRun(() => hash(password.reveal(), cost), CHANGES_WAITING) ?? tooBusy,
    verify: async (passwordHash, password) =>
      turns.tryRun(() => verify(passwordHash, password.reveal())) ?? tooBusy,
  };
}
