import type { Static } from 'typebox';
import type { App } from '../../app/index.ts';
import type { Account, accountRoutes, sessionRoutes } from '../../contract/routes/accounts.ts';
import type { Account as AccountRecord } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import type { HandlersFor } from '../request-context.ts';
import { clearSessionCookie, setSessionCookie } from '../requests/credential-headers.ts';
import { parseNamePage, toListResult } from '../responses/pagination.ts';

export const viewAccount = ({ name, role, createdAt, changedAt }: AccountRecord): Static<typeof Account> => ({
  name,
  role,
  created_at: createdAt,
  changed_at: changedAt,
});

export const accountHandlers = ({ accounts }: App): HandlersFor<typeof accountRoutes> => ({
  listAccounts: async ({ query, url }) => {
    const page = parseNamePage(query);
    if (page instanceof AppError) return page;
    return toListResult(
      url,
      await accounts.list(page),
      account => account.name,
      account => JSON.stringify(viewAccount(account)),
    );
  },

  getOwnAccount: async ({ actor }) => {
    const account = await accounts.get(toRecordName(actor.account));
    return account instanceof AppError ? account : { body: viewAccount(account) };
  },

  getAccount: async ({ params }) => {
    const account = await accounts.get(params.name);
    return account instanceof AppError ? account : { body: viewAccount(account) };
  },

  putAccount: async ({ actor, params, body }) => {
    const { password, role } = body;
    const result = await accounts.put(actor, { name: params.name, password: new Secret(password), role });
    return result instanceof AppError ? result : { body: viewAccount(result.record), isNew: result.isNew };
  },

  changePassword: async ({ actor, params, body }) => {
    const account = await accounts.changePassword(actor, params.name, new Secret(body.password));
    return account instanceof AppError ? account : { body: viewAccount(account) };
  },

  removeAccount: async ({ actor, params }) => (await accounts.remove(actor, params.name)) ?? { body: [] },
});

export const sessionHandlers = ({ sessions }: App): HandlersFor<typeof sessionRoutes> => ({
  createSession: async ({ actor, isTls }) => {
    const created = await sessions.create(actor);
    if (created instanceof AppError) return created;
    const { session, role, lifetimeS, secret } = created;
    return {
      body: { account: session.account, role, expires_at: session.expiresAt },
      isNew: true,
      headers: setSessionCookie(secret, lifetimeS, isTls),
    };
  },

  confirmSession: async ({ actor, body }) => {
    const confirmed = await sessions.confirm(actor, new Secret(body.current_password));
    return confirmed instanceof AppError ? confirmed : { body: { confirmed_until: confirmed.confirmedUntil } };
  },

  removeSession: async ({ actor, isTls }) => {
    await sessions.end(actor);
    return { body: [], headers: clearSessionCookie(isTls) };
  },

  removeSessions: async ({ actor, params }) => (await sessions.endAll(actor, params.name)) ?? { body: [] },
});
