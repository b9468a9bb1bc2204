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

/** What beginning and ending sessions takes. */
export type SessionPorts = Pick<Ports, 'store' | 'clock' | 'sessions'>;

export interface NewSession {
  readonly session: LoginSession;
  readonly role: Role;
  readonly lifetimeS: number;
  /** Nobody can tell it later. */
  readonly secret: Secret;
}

const accountChanged = new AppError(
  'unauthorized',
  'the account was changed during the sign-in; sign in again',
);

/** Makes a session for whoever has shown a password. Those that are of no use any more are removed at the same time. */
export async function createSession(ports: SessionPorts, actor: Actor): Promise<NewSession | AppError> {
  const secret = new Secret(formatSessionSecret(randomBytes(SECRET_BYTES)));
  const { lifetimeS } = ports.sessions;
  const created = await runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const account = await records.accounts.lock(toRecordName(actor.account));
    // A password that was changed elsewhere may be known here for another second: it must not buy a session that outlasts it.
    if (account === undefined || account.revision !== actor.revision) return accountChanged;
    // By the clock of the store: whichever server is asked later, it has ended for all at the same time.
    const nowMs = await records.nowMs();
    const [now, expiresAt] = [formatTimestamp(nowMs), formatTimestamp(nowMs + lifetimeS * 1000)];
    const { name, revision, role } = account;
    const session: LoginSession = {
      ...{ id: newId(), secretDigest: sessionDigest(secret), account: name, accountRevision: revision },
      ...{ createdAt: now, expiresAt, confirmedAt: null },
    };
    await records.loginSessions.removeExpired(now);
    // One that is over and still there is being removed by somebody else, who might wait for us.
    const activeSessions = (await records.loginSessions.listByAccount(name)).filter(
      each => each.expiresAt > now,
    );
    const outdated = activeSessions.filter(each => each.accountRevision !== revision).map(({ id }) => id);
    const evicted = sessionsToEvict(activeSessions.filter(each => each.accountRevision === revision)).map(
      ({ id }) => id,
    );
    await records.loginSessions.remove([...outdated, ...evicted]);
    await records.loginSessions.insert(session);
    if (evicted.length > 0)
      await emit({ type: 'account.signed_out', subject: name, data: { sessions: evicted } });
    await emit({
      ...{ type: 'account.signed_in', subject: name },
      data: { session: session.id, expires_at: expiresAt },
    });
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

/** Verifies the password again and confirms the session with it. Returns when the confirmation ends. */
export async function confirmSession(
  ports: SessionPorts,
  authenticator: Pick<Authenticator, 'authenticate'>,
  actor: Actor,
  password: Secret,
): Promise<{ readonly confirmedUntil: string } | AppError> {
  const { session, account: name, address } = actor;
  if (session === undefined) return noSession;
  const result = await authenticator.authenticate({ name, password }, address);
  // 401 would say that the session has ended.
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
  // Cached logins still say that the session is not confirmed.
  ports.sessions.invalidate();
  return confirmed;
}

/** Ends those of an account's sessions that are meant. */
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

/** Ends the session by which somebody calls. Who calls without one ends none. */
export async function endSession(ports: SessionPorts, { session, ...actor }: Actor): Promise<void> {
  if (session === undefined) return;
  // If the account is gone by now, so are its sessions.
  await endMatchingSessions(ports, actor, toRecordName(actor.account), ({ id }) => id === session.id);
}

/** Ends all sessions of an account. */
export const endSessions = (
  ports: SessionPorts,
  actor: Actor,
  name: RecordName,
): Promise<undefined | AppError> => endMatchingSessions(ports, actor, name, () => true);
