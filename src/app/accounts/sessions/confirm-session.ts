import type { Actor } from '../../../domain/accounts/actor.ts';
import { CONFIRMED_FOR_MS } from '../../../domain/accounts/login-session.ts';
import { Refusal } from '../../../domain/errors.ts';
import { recordNameOf } from '../../../domain/record-name.ts';
import type { Secret } from '../../../domain/secret.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import { change } from '../../change.ts';
import type { Authenticator } from '../authenticator.ts';
import type { SessionPorts } from './begin-session.ts';

const noSession = new Refusal(
  'bad_request',
  'this request has no session; requests with user name and password need no confirmation',
);
const wrongPassword = new Refusal(
  'wrong_password',
  'the current password is wrong; enter the password of the account that is signed in',
);
const sessionEnded = new Refusal('unauthorized', 'the session has ended; sign in again');

/** Verifies the password again and confirms the session with it. Returns when the confirmation ends. */
export async function confirmSession(
  ports: SessionPorts,
  authenticator: Pick<Authenticator, 'authenticate'>,
  actor: Actor,
  password: Secret,
): Promise<{ readonly confirmedUntil: string } | Refusal> {
  const { session, account: name, address } = actor;
  if (session === undefined) return noSession;
  const login = await authenticator.authenticate({ name, password }, address);
  // 401 would say that the session has ended.
  if (login instanceof Refusal) return login.code === 'unauthorized' ? wrongPassword : login;
  const confirmed = await change(ports, actor, async ({ records, tell }) => {
    const account = await records.accounts.lock(recordNameOf(name));
    if (account === undefined || account.revision !== actor.revision) return sessionEnded;
    const sessions = await records.loginSessions.of(account.name);
    if (!sessions.some(({ id }) => id === session.id)) return sessionEnded;
    const nowMs = await records.nowMs();
    await records.loginSessions.confirm(session.id, formatTimestamp(nowMs));
    await tell({ type: 'account.password_confirmed', subject: name, data: { session: session.id } });
    return { confirmedUntil: formatTimestamp(nowMs + CONFIRMED_FOR_MS) };
  });
  // Cached logins still say that the session is not confirmed.
  ports.sessions.changed();
  return confirmed;
}
