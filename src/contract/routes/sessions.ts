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
  beginSession: route({
    method: 'PUT',
    path: '/api/v0/session',
    tag,
    summary: 'Signs in: begins a session',
    description:
      'Its secret is in the cookie that is set, and nowhere else. The cookie stands for user name and password on requests that carry ' +
      '`Hostler-Dashboard: 1` and come from the same site. It needs a password: no session begins another.',
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
    summary: 'Confirms the password in a session',
    description:
      'For five minutes from then on, the session may change accounts, enrolment tokens and credentials. A wrong password is 403 ' +
      '`wrong_password`, counts as a failed login, and does not end the session.',
    roles: READERS,
    body: Type.Object({
      current_password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, writeOnly: true }),
    }),
    statuses: [200],
    answer: Type.Object({ confirmed_until: Timestamp }),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/api/v0/session',
    tag,
    summary: 'Signs out: ends the session by which it is called',
    description: 'The cookie is cleared. Who calls without a session ends none.',
    roles: READERS,
    statuses: [200],
    answer: EmptyList,
  }),
  endSessions: route({
    method: 'DELETE',
    path: '/api/v0/user/{name}/sessions',
    tag,
    summary: 'Ends all sessions of an account',
    description: 'Everyone may end their own.',
    roles: ADMINS,
    alsoSelf: true,
    takesPassword: true,
    statuses: [200],
    answer: EmptyList,
    refusals: [404],
  }),
};
