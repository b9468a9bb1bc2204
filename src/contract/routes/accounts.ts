import Type from 'typebox';
import { MAX_PASSWORD_LENGTH, ROLES } from '../../domain/vocabulary.ts';
import { EmptyList, MatchesPath, Paging, Timestamp } from '../fields.ts';
import { ADMINS, defineRoute, READERS } from '../route-definition.ts';

const tag = 'Accounts';

export const Account = Type.Object({
  name: Type.String(),
  role: Type.Enum(ROLES),
  created_at: Timestamp,
  changed_at: Timestamp,
});

const Password = Type.String({
  minLength: 1,
  maxLength: MAX_PASSWORD_LENGTH,
  writeOnly: true,
  description: 'Any non-empty text that fits into a request header.',
});

export const accountRoutes = {
  listAccounts: defineRoute({
    method: 'GET',
    path: '/api/v0/users',
    tag,
    summary: 'List accounts',
    roles: ADMINS,
    query: Paging,
    statuses: [200],
    response: Type.Array(Account),
  }),
  getOwnAccount: defineRoute({
    method: 'GET',
    path: '/api/v0/user',
    tag,
    summary: 'Get the calling account',
    roles: READERS,
    statuses: [200],
    response: Account,
  }),
  getAccount: defineRoute({
    method: 'GET',
    path: '/api/v0/user/{name}',
    tag,
    summary: 'Get an account',
    roles: ADMINS,
    statuses: [200],
    response: Account,
    errorStatuses: [404],
  }),
  putAccount: defineRoute({
    method: 'PUT',
    path: '/api/v0/user/{name}',
    tag,
    summary: 'Create an account, or set its password and role',
    roles: ADMINS,
    requiresConfirmation: true,
    body: Type.Object({ name: MatchesPath('name'), password: Password, role: Type.Enum(ROLES) }),
    statuses: [200, 201],
    response: Account,
    errorStatuses: [409],
  }),
  changePassword: defineRoute({
    method: 'PUT',
    path: '/api/v0/user/{name}/password',
    tag,
    summary: 'Change a password',
    description: 'Every account can change its own password.',
    roles: ADMINS,
    requiresConfirmation: true,
    allowsOwnAccount: true,
    body: Type.Object({ name: MatchesPath('name'), password: Password }),
    statuses: [200],
    response: Account,
    errorStatuses: [404],
  }),
  removeAccount: defineRoute({
    method: 'DELETE',
    path: '/api/v0/user/{name}',
    tag,
    summary: 'Remove an account',
    description: 'The last account with the role `admin` cannot be removed.',
    roles: ADMINS,
    requiresConfirmation: true,
    statuses: [200],
    response: EmptyList,
    errorStatuses: [404, 409],
  }),
};

const sessionsTag = 'Sessions';

export const Session = Type.Object({
  account: Type.String(),
  role: Type.Enum(ROLES),
  expires_at: Timestamp,
});

export const sessionRoutes = {
  createSession: defineRoute({
    method: 'PUT',
    path: '/api/v0/session',
    tag: sessionsTag,
    summary: 'Sign in: create a session',
    description:
      'The response sets a cookie with the secret of the session; the body does not contain the secret. The cookie replaces ' +
      'user name and password on requests that have the header `Hostler-Dashboard: 1` and come from the same site. You cannot ' +
      'create a session with a session cookie.',
    roles: READERS,
    requiresPassword: true,
    body: Type.Object({}),
    statuses: [201],
    response: Session,
  }),
  confirmSession: defineRoute({
    method: 'PUT',
    path: '/api/v0/session/confirmation',
    tag: sessionsTag,
    summary: 'Confirm the password in a session',
    description:
      'For the next five minutes, the session can change accounts, enrolment tokens and credentials. A wrong password returns 403 ' +
      '`wrong_password`, counts as a failed login and does not end the session.',
    roles: READERS,
    body: Type.Object({
      current_password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, writeOnly: true }),
    }),
    statuses: [200],
    response: Type.Object({ confirmed_until: Timestamp }),
  }),
  removeSession: defineRoute({
    method: 'DELETE',
    path: '/api/v0/session',
    tag: sessionsTag,
    summary: 'Sign out: end the calling session',
    description: 'Clears the cookie. Has no effect without a session.',
    roles: READERS,
    statuses: [200],
    response: EmptyList,
  }),
  removeSessions: defineRoute({
    method: 'DELETE',
    path: '/api/v0/user/{name}/sessions',
    tag: sessionsTag,
    summary: 'End all sessions of an account',
    description: 'Every account can end its own sessions.',
    roles: ADMINS,
    allowsOwnAccount: true,
    acceptsPassword: true,
    statuses: [200],
    response: EmptyList,
    errorStatuses: [404],
  }),
};
