import { randomBytes } from 'node:crypto';
import type { Actor } from '../../../domain/accounts/account.ts';
import type { LoginSession } from '../../../domain/accounts/login-session.ts';
import {
  formatSessionSecret,
  SECRET_BYTES,
  sessionDigest,
  sessionsToEvict,
} from '../../../domain/accounts/login-session.ts';
import { AppError } from '../../../domain/errors.ts';
import { toRecordName } from '../../../domain/record-name.ts';
import { Secret } from '../../../domain/secret.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import type { Role } from '../../../domain/vocabulary.ts';
import { newId } from '../../../lib/new-id.ts';
import { change } from '../../change.ts';
import type { Ports } from '../../ports.ts';

/** What beginning and ending sessions takes. */
export type SessionPorts = Pick<Ports, 'store' | 'clock' | 'sessions'>;

export interface BegunSession {
  readonly session: LoginSession;
  readonly role: Role;
  readonly lifetimeS: number;
  /** Nobody can tell it later. */
  readonly secret: Secret;
}

const changedMeanwhile = new AppError(
  'unauthorized',
  'the account was changed during the sign-in; sign in again',
);

/** Makes a session for whoever has shown a password. Those that are of no use any more are removed at the same time. */
export async function beginSession(ports: SessionPorts, actor: Actor): Promise<BegunSession | AppError> {
  const secret = new Secret(formatSessionSecret(randomBytes(SECRET_BYTES)));
  const { lifetimeS } = ports.sessions;
  const begun = await change(ports, actor, async ({ records, tell }) => {
    const account = await records.accounts.lock(toRecordName(actor.account));
    // A password that was changed elsewhere may be known here for another second: it must not buy a session that outlasts it.
    if (account === undefined || account.revision !== actor.revision) return changedMeanwhile;
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
    const had = (await records.loginSessions.of(name)).filter(each => each.expiresAt > now);
    const dead = had.filter(each => each.accountRevision !== revision).map(({ id }) => id);
    const ended = sessionsToEvict(had.filter(each => each.accountRevision === revision)).map(({ id }) => id);
    await records.loginSessions.remove([...dead, ...ended]);
    await records.loginSessions.insert(session);
    if (ended.length > 0)
      await tell({ type: 'account.signed_out', subject: name, data: { sessions: ended } });
    await tell({
      ...{ type: 'account.signed_in', subject: name },
      data: { session: session.id, expires_at: expiresAt },
    });
    return { session, role, lifetimeS, secret };
  });
  // The oldest session may have been removed.
  ports.sessions.changed();
  return begun;
}
