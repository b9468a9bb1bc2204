// A session stands for an account's password on requests of the dashboard, by a cookie. What must hold: its secret is nowhere but in
// that cookie; it lasts no longer than the state of the account in which somebody signed in, nor beyond its end.

import { hash } from 'node:crypto';
import type { RecordName } from '../record-name.ts';
import type { Secret } from '../secret.ts';
import { secretForm } from './secret-form.ts';

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
export const CONFIRMED_FOR_MS = 300_000;

/** So many an account may have; then the oldest goes. */
export const MAX_SESSIONS = 50;

export const { textOf: sessionSecretText, isKept: isSessionSecret } = secretForm('hss_');

/** By which a session is found. A plain digest will do, as for the secrets of enrolment tokens. */
export const sessionDigest = (secret: Secret): string => hash('sha256', secret.reveal(), 'hex');

/** Those that go to make room for one more, of all that an account has, oldest first. */
export const beyondRoom = <Session>(oldestFirst: readonly Session[]): readonly Session[] =>
  oldestFirst.slice(0, Math.max(0, oldestFirst.length + 1 - MAX_SESSIONS));
