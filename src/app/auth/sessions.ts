import { randomBytes } from 'node:crypto';
import type { Actor } from '../../domain/accounts/account.ts';
import type { LoginSession } from '../../domain/accounts/login-session.ts';
import {
  CONFIRMATION_TTL_MS,
  formatSessionSecret,
  SECRET_BYTES,
  sessionDigest,
  sessionsToEvict,
} from '../../domain/accounts/login-session.ts';
import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/random.ts';
import { accountNotFound } from '../accounts/manage-accounts.ts';
import type { Ports } from '../ports.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { Authenticator } from './authenticator.ts';

export type SessionPorts = Pick<Ports, 'store' | 'clock' | 'sessions'>;

export interface NewSession {
  readonly session: LoginSession;
  readonly role: Role;
  readonly lifetimeS: number;
  /** The store keeps only a digest. */
  readonly secret: Secret;
}

const accountChanged = new AppError('unauthorized', 'the account was changed during the sign-in; sign in again');

/** The caller authenticated with a password. Also removes expired and outdated sessions. */
export async function createSession(ports: SessionPorts, actor: Actor): Promise<NewSession | AppError> {
  const secret = new Secret(formatSessionSecret(randomBytes(SECRET_BYTES)));
  const { lifetimeS } = ports.sessions;
  const created = await runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const account = await records.accounts.lock(toRecordName(actor.account));
    // Another server may have changed the password within the last second. The old password must not create a session.
    if (account === undefined || account.revision !== actor.revision) return accountChanged;
    // The clock of the store, so the session ends at the same time for all servers.
    const nowMs = await records.nowMs();
    const [now, expiresAt] = [formatTimestamp(nowMs), formatTimestamp(nowMs + lifetimeS * 1000)];
    const { name, revision, role } = account;
    const session: LoginSession = {
      id: newId(),
      secretDigest: sessionDigest(secret),
      account: name,
      accountRevision: revision,
      createdAt: now,
      expiresAt,
      confirmedAt: null,
    };
    await records.loginSessions.removeExpired(now);
    // Another transaction is removing expired sessions. Locking them here could deadlock.
    const activeSessions = (await records.loginSessions.listByAccount(name)).filter(
      candidate => candidate.expiresAt > now,
    );
    const outdated = activeSessions.filter(candidate => candidate.accountRevision !== revision).map(({ id }) => id);
    const evicted = sessionsToEvict(activeSessions.filter(candidate => candidate.accountRevision === revision)).map(
      ({ id }) => id,
    );
    await records.loginSessions.remove([...outdated, ...evicted]);
    await records.loginSessions.insert(session);
    if (evicted.length > 0) await emit({ type: 'account.signed_out', subject: name, data: { sessions: evicted } });
    await emit({ type: 'account.signed_in', subject: name, data: { session: session.id, expires_at: expiresAt } });
    return { session, role, lifetimeS, secret };
  });
  // The oldest session may have been removed.
  ports.sessions.invalidate();
  return created;
}

const noSession = new AppError(
  'bad_request',
  'this request has no session; requests with user name and password need no confirmation',
);
const wrongPassword = new AppError(
  'wrong_password',
  'the current password is wrong; enter the password of the account that is signed in',
);
const sessionEnded = new AppError('unauthorized', 'the session has ended; sign in again');

export async function confirmSession(
  ports: SessionPorts,
  authenticator: Pick<Authenticator, 'authenticate'>,
  actor: Actor,
  password: Secret,
): Promise<{ readonly confirmedUntil: string } | AppError> {
  const { session, account: name, address } = actor;
  if (session === undefined) return noSession;
  const result = await authenticator.authenticate({ name, password }, address);
  // With 401 the dashboard would sign the user out.
  if (result instanceof AppError) return result.code === 'unauthorized' ? wrongPassword : result;
  const confirmed = await runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const account = await records.accounts.lock(toRecordName(name));
    if (account === undefined || account.revision !== actor.revision) return sessionEnded;
    const sessions = await records.loginSessions.listByAccount(account.name);
    if (!sessions.some(({ id }) => id === session.id)) return sessionEnded;
    const nowMs = await records.nowMs();
    await records.loginSessions.confirm(session.id, formatTimestamp(nowMs));
    await emit({ type: 'account.password_confirmed', subject: name, data: { session: session.id } });
    return { confirmedUntil: formatTimestamp(nowMs + CONFIRMATION_TTL_MS) };
  });
  // Cached logins still have the session as unconfirmed.
  ports.sessions.invalidate();
  return confirmed;
}

async function endMatchingSessions(
  ports: SessionPorts,
  actor: Actor,
  name: RecordName,
  isMatch: (session: LoginSession) => boolean,
): Promise<undefined | AppError> {
  const result = await runUnitOfWork(ports, actor, async ({ records, emit }) => {
    if ((await records.accounts.lock(name)) === undefined) return accountNotFound(name);
    const sessions = (await records.loginSessions.listByAccount(name)).filter(isMatch).map(({ id }) => id);
    if (sessions.length === 0) return undefined;
    await records.loginSessions.remove(sessions);
    await emit({ type: 'account.signed_out', subject: name, data: { sessions } });
    return undefined;
  });
  ports.sessions.invalidate();
  return result;
}

export async function endSession(ports: SessionPorts, { session, ...actor }: Actor): Promise<void> {
  if (session === undefined) return;
  // Ignores a missing account: its sessions are removed with it.
  await endMatchingSessions(ports, actor, toRecordName(actor.account), ({ id }) => id === session.id);
}

export const endSessions = (ports: SessionPorts, actor: Actor, name: RecordName): Promise<undefined | AppError> =>
  endMatchingSessions(ports, actor, name, () => true);
