import type { App } from '../../app/index.ts';
import type { sessionRoutes } from '../../contract/routes/sessions.ts';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import type { HandlersOf } from '../call.ts';
import { clearSessionCookie, setSessionCookie } from '../requests/session-cookie.ts';

export const sessionHandlers = ({ sessions }: App): HandlersOf<typeof sessionRoutes> => ({
  createSession: async ({ actor, isSecure }) => {
    const begun = await sessions.begin(actor);
    if (begun instanceof AppError) return begun;
    const { session, role, lifetimeS, secret } = begun;
    return {
      body: { account: session.account, role, expires_at: session.expiresAt },
      isNew: true,
      headers: setSessionCookie(secret, lifetimeS, isSecure),
    };
  },

  confirmSession: async ({ actor, body }) => {
    const confirmed = await sessions.confirm(actor, new Secret(body.current_password));
    return confirmed instanceof AppError
      ? confirmed
      : { body: { confirmed_until: confirmed.confirmedUntil } };
  },

  removeSession: async ({ actor, isSecure }) => {
    await sessions.end(actor);
    return { body: [], headers: clearSessionCookie(isSecure) };
  },

  removeSessions: async ({ actor, params }) => (await sessions.endAll(actor, params.name)) ?? { body: [] },
});
