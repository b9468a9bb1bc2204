import Type from 'typebox';
import { MAX_PASSWORD_LENGTH, ROLES } from '../../domain/vocabulary.ts';
import { EmptyList, Timestamp } from '../fields.ts';
import { ADMINS, READERS, route } from '../route.ts';

const tag = 'Sessions';

export const BegunSession = Type.Object({
  account: Type.String(),
  role: Type.Enum(ROLES),
  expires_at: Timestamp,
});

export const sessionRoutes = {
  createSession: route({
    method: 'PUT',
    path: '/api/v0/session',
    tag,
    summary: 'Sign in: create a session',
    description:
      'The response sets a cookie with the secret of the session; the body does not contain the secret. The cookie replaces ' +
      'user name and password on requests that have the header `Hostler-Dashboard: 1` and come from the same site. You cannot ' +
      'create a session with a session cookie.',
    roles: READERS,
    needsPassword: true,
    body: Type.Object({}),
    statuses: [201],
    answer: BegunSession,
  }),
  confirmSession: route({
    method: 'PUT',
    path: '/api/v0/session/confirmation',
    tag,
    summary: 'Confirm the password in a session',
    description:
      'For the next five minutes, the session can change accounts, enrolment tokens and credentials. A wrong password returns 403 ' +
      '`wrong_password`, counts as a failed login and does not end the session.',
    roles: READERS,
    body: Type.Object({
      current_password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, writeOnly: true }),
    }),
    statuses: [200],
    answer: Type.Object({ confirmed_until: Timestamp }),
  }),
  removeSession: route({
    method: 'DELETE',
    path: '/api/v0/session',
    tag,
    summary: 'Sign out: end the calling session',
    description: 'Clears the cookie. Has no effect without a session.',
    roles: READERS,
    statuses: [200],
    answer: EmptyList,
  }),
  removeSessions: route({
    method: 'DELETE',
    path: '/api/v0/user/{name}/sessions',
    tag,
    summary: 'End all sessions of an account',
    description: 'Every account can end its own sessions.',
    roles: ADMINS,
    alsoSelf: true,
    takesPassword: true,
    statuses: [200],
    answer: EmptyList,
    refusals: [404],
  }),
};
