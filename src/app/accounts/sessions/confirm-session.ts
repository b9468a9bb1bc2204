import type { Actor } from '../../../domain/accounts/account.ts';
import { CONFIRMATION_TTL_MS } from '../../../domain/accounts/login-session.ts';
import { AppError } from '../../../domain/errors.ts';
import { toRecordName } from '../../../domain/record-name.ts';
import type { Secret } from '../../../domain/secret.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import { change } from '../../change.ts';
import type { Authenticator } from '../authenticator.ts';
import type { SessionPorts } from './begin-session.ts';

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
  const login = await authenticator.authenticate({ name, password }, address);
  // 401 would say that the session has ended.
  if (login instanceof AppError) return login.code === 'unauthorized' ? wrongPassword : login;
  const confirmed = await change(ports, actor, async ({ records, tell }) => {
    const account = await records.accounts.lock(toRecordName(name));
    if (account === undefined || account.revision !== actor.revision) return sessionEnded;
    const sessions = await records.loginSessions.of(account.name);
    if (!sessions.some(({ id }) => id === session.id)) return sessionEnded;
    const nowMs = await records.nowMs();
    await records.loginSessions.confirm(session.id, formatTimestamp(nowMs));
    await tell({ type: 'account.password_confirmed', subject: name, data: { session: session.id } });
    return { confirmedUntil: formatTimestamp(nowMs + CONFIRMATION_TTL_MS) };
  });
  // Cached logins still say that the session is not confirmed.
  ports.sessions.changed();
  return confirmed;
}
