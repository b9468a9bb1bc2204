import type { Actor } from '../../../domain/accounts/account.ts';
import type { LoginSession } from '../../../domain/accounts/login-session.ts';
import type { AppError } from '../../../domain/errors.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import { toRecordName } from '../../../domain/record-name.ts';
import { change } from '../../change.ts';
import { unknownAccount } from '../read-accounts.ts';
import type { SessionPorts } from './begin-session.ts';

/** Ends those of an account's sessions that are meant. */
async function endThose(
  ports: SessionPorts,
  actor: Actor,
  name: RecordName,
  isMeant: (session: LoginSession) => boolean,
): Promise<undefined | AppError> {
  const result = await change(ports, actor, async ({ records, tell }) => {
    if ((await records.accounts.lock(name)) === undefined) return unknownAccount(name);
    const sessions = (await records.loginSessions.of(name)).filter(isMeant).map(({ id }) => id);
    if (sessions.length === 0) return undefined;
    await records.loginSessions.remove(sessions);
    await tell({ type: 'account.signed_out', subject: name, data: { sessions } });
    return undefined;
  });
  ports.sessions.changed();
  return result;
}

/** Ends the session by which somebody calls. Who calls without one ends none. */
export async function endSession(ports: SessionPorts, { session, ...actor }: Actor): Promise<void> {
  if (session === undefined) return;
  // If the account is gone by now, so are its sessions.
  await endThose(ports, actor, toRecordName(actor.account), ({ id }) => id === session.id);
}

/** Ends all sessions of an account. */
export const endSessions = (
  ports: SessionPorts,
  actor: Actor,
  name: RecordName,
): Promise<undefined | AppError> => endThose(ports, actor, name, () => true);
