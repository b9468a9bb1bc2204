import type { App } from '../../app/index.ts';
import type { Account, accountRoutes, sessionRoutes } from '../../contract/routes/accounts.ts';
import type { Account as AccountRecord } from '../../domain/accounts/account.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { respond, respondPut } from '../register-route.ts';
import type { HandlersFor, View } from '../request-context.ts';
import { clearSessionCookie, setSessionCookie } from '../requests/credential-headers.ts';
import { respondPage, stringifyView } from '../responses/pagination.ts';

const viewAccount = ({ name, role, createdAt, changedAt }: AccountRecord): View<typeof Account> => ({
  name,
  role,
  created_at: createdAt,
  changed_at: changedAt,
});

export const accountHandlers = ({
  accounts,
  sessions,
}: App): HandlersFor<typeof accountRoutes & typeof sessionRoutes> => ({
  listAccounts: context => respondPage(context, accounts.list, account => account.name, stringifyView(viewAccount)),

  getOwnAccount: async ({ actor }) => respond(await accounts.get(toRecordName(actor.account)), viewAccount),

  getAccount: async ({ params }) => respond(await accounts.get(params.name), viewAccount),

  putAccount: async ({ actor, params, body: { password, role } }) => {
    if (password === undefined) return respond(await accounts.changeRole(actor, params.name, role), viewAccount);
    return respondPut(
      await accounts.put(actor, { name: params.name, password: new Secret(password), role }),
      viewAccount,
    );
  },

  changePassword: async ({ actor, params, body }) =>
    respond(await accounts.changePassword(actor, params.name, new Secret(body.password)), viewAccount),

  removeAccount: async ({ actor, params }) => (await accounts.remove(actor, params.name)) ?? { body: [] },

  createSession: async ({ actor, isTls }) =>
    respond(
      await sessions.create(actor),
      ({ session, role }) => ({ account: session.account, role, expires_at: session.expiresAt }),
      { status: 201, headers: ({ secret, lifetimeS }) => setSessionCookie(secret, lifetimeS, isTls) },
    ),

  confirmSession: async ({ actor, body }) =>
    respond(await sessions.confirm(actor, new Secret(body.current_password)), ({ confirmedUntil }) => ({
      confirmed_until: confirmedUntil,
    })),

  removeSession: async ({ actor, isTls }) => {
    await sessions.end(actor);
    return { body: [], headers: clearSessionCookie(isTls) };
  },

  removeSessions: async ({ actor, params }) => (await sessions.endAll(actor, params.name)) ?? { body: [] },
});
