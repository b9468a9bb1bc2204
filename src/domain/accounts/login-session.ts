import { hash } from 'node:crypto';
import type { RecordName } from '../record-name.ts';
import type { Secret } from '../secret.ts';

export const SECRET_BYTES = 32;

/** Base64url has 6 bits per character. */
const SECRET_CHARACTERS = Math.ceil((SECRET_BYTES * 8) / 6);

export function secretFormat(prefix: string) {
  const pattern = new RegExp(`^${prefix}[A-Za-z0-9_-]{${SECRET_CHARACTERS}}$`);
  return {
    /** `random` has `SECRET_BYTES` bytes. */
    format: (random: Buffer): string => `${prefix}${random.toString('base64url')}`,
    isValid: (text: string): boolean => pattern.test(text),
  };
}

// Invariants: only the cookie has the secret; the session ends when it expires or when the account changes.

export interface LoginSession {
  /** Identifies the session in events. Not a credential. */
  readonly id: string;
  readonly secretDigest: string;
  readonly account: RecordName;
  readonly accountRevision: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** null: the password was not confirmed. Signing in is not a confirmation. */
  readonly confirmedAt: string | null;
}

/** How long a confirmed password allows changes of accounts, tokens and credentials. */
export const CONFIRMATION_TTL_MS = 300_000;

/** Per account. A new login evicts the oldest session. */
export const MAX_SESSIONS = 50;

export const { format: formatSessionSecret, isValid: isSessionSecret } = secretFormat('hss_');

/** A plain digest is enough, as for enrolment tokens. */
export const sessionDigest = (secret: Secret): string => hash('sha256', secret.reveal(), 'hex');

export const sessionsToEvict = <Session>(oldestFirst: readonly Session[]): readonly Session[] =>
  oldestFirst.slice(0, Math.max(0, oldestFirst.length + 1 - MAX_SESSIONS));
