import { hash } from 'node:crypto';
import type { RecordName } from '../record-name.ts';
import type { Secret } from '../secret.ts';

/** How many random bytes a secret is made of that somebody is given instead of choosing it. */
export const SECRET_BYTES = 32;

const BITS_PER_CHARACTER = 6;
const SECRET_CHARACTERS = Math.ceil((SECRET_BYTES * 8) / BITS_PER_CHARACTER);

/** The form of one kind of secret, which begins with a word that tells it from others. */
export function secretFormat(prefix: string) {
  const pattern = new RegExp(`^${prefix}[A-Za-z0-9_-]{${SECRET_CHARACTERS}}$`);
  return {
    /** The text of a secret that is made of `SECRET_BYTES` random bytes. */
    format: (random: Buffer): string => `${prefix}${random.toString('base64url')}`,
    /** Whether a text can be such a secret at all. */
    isValid: (text: string): boolean => pattern.test(text),
  };
}

// A session stands for an account's password on requests of the dashboard, by a cookie. What must hold: its secret is nowhere but in
// that cookie; it lasts no longer than the state of the account in which somebody signed in, nor beyond its end.

export interface LoginSession {
  /** Names it where it is told of; nobody is let in by it. */
  readonly id: string;
  readonly secretDigest: string;
  readonly account: RecordName;
  /** The revision of the account when somebody signed in. */
  readonly accountRevision: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** When the password was last confirmed in this session; null: never. Signing in is not a confirmation. */
  readonly confirmedAt: string | null;
}

/** How long a confirmation of the password allows changes of accounts, tokens and credentials. */
export const CONFIRMATION_TTL_MS = 300_000;

/** So many an account may have; then the oldest goes. */
export const MAX_SESSIONS = 50;

export const { format: formatSessionSecret, isValid: isSessionSecret } = secretFormat('hss_');

/** By which a session is found. A plain digest will do, as for the secrets of enrolment tokens. */
export const sessionDigest = (secret: Secret): string => hash('sha256', secret.reveal(), 'hex');

/** Those that go to make room for one more, of all that an account has, oldest first. */
export const sessionsToEvict = <Session>(oldestFirst: readonly Session[]): readonly Session[] =>
  oldestFirst.slice(0, Math.max(0, oldestFirst.length + 1 - MAX_SESSIONS));
