import { hash, verify } from '@node-rs/argon2';
import type { Secret } from '../../domain/secret.ts';
import { Semaphore } from '../../lib/semaphore.ts';

/** Computes and verifies memory-hard hashes of passwords. */
export interface PasswordHasher {
  hash(password: Secret): Promise<string>;
  verify(passwordHash: string, password: Secret): Promise<boolean>;
  /** Whether one more would be computed soon; if not, it is better not to ask. */
  readonly hasRoom: boolean;
}

/** OWASP's first choice for Argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each takes 19 MiB and a core. */
const AT_ONCE = 2;
/** A second or so of waiting. */
const WAITING = 100;

export function argon2Hasher(): PasswordHasher {
  const turns = new Semaphore(AT_ONCE, WAITING);
  return {
    hash: password => turns.run(() => hash(password.reveal(), COST)),
    verify: (passwordHash, password) => turns.run(() => verify(passwordHash, password.reveal())),
    get hasRoom() {
      return turns.hasRoom;
    },
  };
}
