import Type from 'typebox';
import { MAX_PASSWORD_LENGTH, ROLES } from '../../domain/vocabulary.ts';
import { EmptyList, Paging, Repeated, Timestamp } from '../fields.ts';
import { ADMINS, READERS, route } from '../route.ts';

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
  listAccounts: route({
    method: 'GET',
    path: '/api/v0/users',
    tag,
    summary: 'List accounts',
    roles: ADMINS,
    query: Paging,
    statuses: [200],
    answer: Type.Array(Account),
  }),
  getOwnAccount: route({
    method: 'GET',
    path: '/api/v0/user',
    tag,
    summary: 'Get the calling account',
    roles: READERS,
    statuses: [200],
    answer: Account,
  }),
  getAccount: route({
    method: 'GET',
    path: '/api/v0/user/{name}',
    tag,
    summary: 'Get an account',
    roles: ADMINS,
    statuses: [200],
    answer: Account,
    refusals: [404],
  }),
  putAccount: route({
    method: 'PUT',
    path: '/api/v0/user/{name}',
    tag,
    summary: 'Create an account, or set its password and role',
    roles: ADMINS,
    needsConfirmation: true,
    body: Type.Object({ name: Repeated('name'), password: Password, role: Type.Enum(ROLES) }),
    statuses: [200, 201],
    answer: Account,
    refusals: [409],
  }),
  changePassword: route({
    method: 'PUT',
    path: '/api/v0/user/{name}/password',
    tag,
    summary: 'Change a password',
    description: 'Every account can change its own password.',
    roles: ADMINS,
    needsConfirmation: true,
    alsoSelf: true,
    body: Type.Object({ name: Repeated('name'), password: Password }),
    statuses: [200],
    answer: Account,
    refusals: [404],
  }),
  removeAccount: route({
    method: 'DELETE',
    path: '/api/v0/user/{name}',
    tag,
    summary: 'Remove an account',
    description: 'The last account with the role `admin` cannot be removed.',
    roles: ADMINS,
    needsConfirmation: true,
    statuses: [200],
    answer: EmptyList,
    refusals: [404, 409],
  }),
};
