import Type from 'typebox';
import { MAX_PASSWORD_LENGTH } from '../../domain/vocabulary.ts';
import { EmptyInput, EmptyList, MatchesPath, named, Paging, Role, Timestamp } from '../fields.ts';
import { ADMINS, defineRoute, READERS } from '../route-definition.ts';

export const Account = named(
  'Account',
  Type.Object({
    name: Type.String(),
    role: Role,
    created_at: Timestamp,
    changed_at: Timestamp,
  }),
);

const Password = Type.String({
  minLength: 1,
  maxLength: MAX_PASSWORD_LENGTH,
  writeOnly: true,
  description: 'Any non-empty text that fits into a request header.',
});

const AccountInput = named(
  'AccountInput',
  Type.Object({ name: MatchesPath('name'), password: Type.Optional(Password), role: Role }),
);
const PasswordInput = named('PasswordInput', Type.Object({ name: MatchesPath('name'), password: Password }));

const get = { tag: 'Accounts', method: 'GET', roles: ADMINS } as const;
const put = { tag: 'Accounts', method: 'PUT', roles: ADMINS } as const;

export const accountRoutes = {
  listAccounts: defineRoute({
    ...get,
    path: '/api/v0/users',
    summary: 'List accounts',
    query: Paging,
    response: Type.Array(Account),
  }),
  getOwnAccount: defineRoute({
    ...get,
    path: '/api/v0/user',
    summary: 'Get the calling account',
    roles: READERS,
    response: Account,
  }),
  getAccount: defineRoute({
    ...get,
    path: '/api/v0/user/{name}',
    summary: 'Get an account',
    response: Account,
  }),
  putAccount: defineRoute({
    ...put,
    path: '/api/v0/user/{name}',
    summary: 'Create an account, or set its role and password',
    description:
      'Without `password`, an existing account keeps its password. A change ends the sessions of the account.',
    requiresConfirmation: true,
    body: AccountInput,
    statuses: [200, 201],
    response: Account,
    errorStatuses: [409],
  }),
  changePassword: defineRoute({
    ...put,
    path: '/api/v0/user/{name}/password',
    summary: 'Change a password',
    description: 'Every account can change its own password.',
    requiresConfirmation: true,
    allowsOwnAccount: true,
    body: PasswordInput,
    response: Account,
    errorStatuses: [404],
  }),
  removeAccount: defineRoute({
    ...put,
    method: 'DELETE',
    path: '/api/v0/user/{name}',
    summary: 'Remove an account',
    description: 'The last account with the role `admin` cannot be removed.',
    requiresConfirmation: true,
    response: EmptyList,
    errorStatuses: [404, 409],
  }),
};

const Session = named('Session', Type.Object({ account: Type.String(), role: Role, expires_at: Timestamp }));

const SessionConfirmationInput = named(
  'SessionConfirmationInput',
  Type.Object({ current_password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, writeOnly: true }) }),
);
const SessionConfirmation = named('SessionConfirmation', Type.Object({ confirmed_until: Timestamp }));

const putSession = { tag: 'Sessions', method: 'PUT', roles: READERS } as const;
const remove = { tag: 'Sessions', method: 'DELETE', roles: READERS, response: EmptyList } as const;

export const sessionRoutes = {
  createSession: defineRoute({
    ...putSession,
    path: '/api/v0/session',
    summary: 'Sign in: create a session',
    description:
      'The response sets a cookie with the secret of the session; the body does not contain the secret. The cookie replaces user name and password on requests that have the header `Hostler-Dashboard: 1` and come from the same site. You cannot create a session with a session cookie.',
    requiresPassword: true,
    body: EmptyInput,
    statuses: [201],
    response: Session,
  }),
  confirmSession: defineRoute({
    ...putSession,
    path: '/api/v0/session/confirmation',
    summary: 'Confirm the password in a session',
    description:
      'For the next five minutes, the session can change accounts, enrolment tokens and credentials. A wrong password returns 403 `wrong_password`, counts as a failed login and does not end the session.',
    body: SessionConfirmationInput,
    response: SessionConfirmation,
  }),
  removeSession: defineRoute({
    ...remove,
    path: '/api/v0/session',
    summary: 'Sign out: end the calling session',
    description: 'Clears the cookie. Has no effect without a session.',
  }),
  removeSessions: defineRoute({
    ...remove,
    path: '/api/v0/user/{name}/sessions',
    summary: 'End all sessions of an account',
    description: 'Every account can end its own sessions.',
    roles: ADMINS,
    allowsOwnAccount: true,
    acceptsPassword: true,
    errorStatuses: [404],
  }),
};
