import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../domain/errors.ts';
import type { Secret } from '../../domain/secret.ts';
import type { TurnGroup } from '../../lib/turns/fair-turns.ts';
import { FairTurns } from '../../lib/turns/fair-turns.ts';

/** Computes and verifies memory-hard hashes of passwords; refuses when it has too many to compute already. */
export interface PasswordHasher {
  hash(password: Secret): Promise<string | AppError>;
  /** `caller` is the network that sent the password. */
  verify(passwordHash: string, password: Secret, caller: TurnGroup): Promise<boolean | AppError>;
}

/** OWASP's first choice for Argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each takes 19 MiB and a core. */
const AT_ONCE = 2;
/** About a second of waiting. */
const WAITING = 100;
/** Callers who are signed in, and change a password or use another one in a request. Few do so at the same moment. */
export const SIGNED_IN: TurnGroup = { name: 'signed in', isPrivileged: true };
const CHANGES_WAITING = 8;

const tooBusy = new AppError('server_busy', 'too many password checks are queued; retry', {
  retryAfterS: 1,
});

export function argon2Hasher(cost = COST): PasswordHasher {
  const turns = new FairTurns(AT_ONCE, WAITING);
  return {
    hash: async password =>
      (await turns.tryRun(SIGNED_IN, () => hash(password.reveal(), cost), CHANGES_WAITING)) ?? tooBusy,
    verify: async (passwordHash, password, caller) =>
      (await turns.tryRun(caller, () => verify(passwordHash, password.reveal()))) ?? tooBusy,
  };
}
