import Type from 'typebox';
import { TOKEN_LIFETIME_S } from '../../domain/defaults.ts';
import { TOKEN_STATES } from '../../domain/vocabulary.ts';
import { EmptyList, NameOrNone, Paging, Repeated, Timestamp } from '../fields.ts';
import { ADMINS, route } from '../route.ts';

const common = { tag: 'Tokens', roles: ADMINS } as const;
const path = '/api/v0/token/{name}';

const tokenFields = {
  name: Type.String(),
  cluster: Type.String({ description: 'Cluster that the hosts join. Empty if they join none.' }),
  cidr: Type.String({
    description: 'Network that hosts must connect from. Empty if they can connect from any network.',
  }),
  uses: Type.Integer({ description: 'Number of hosts that can enrol with the token.' }),
  used: Type.Integer({ description: 'Number of hosts that have enrolled with the token.' }),
  created_at: Timestamp,
  expires_at: Timestamp,
  state: Type.Enum(TOKEN_STATES),
};

/** One day, for one host. */
export const TOKEN_DEFAULTS = { expires_in_s: 86_400, uses: 1, cidr: '' };

/** Lifetime, number of uses and network of a token. */
export const tokenLimits = {
  expires_in_s: Type.Optional(
    Type.Integer({
      minimum: TOKEN_LIFETIME_S.min,
      maximum: TOKEN_LIFETIME_S.max,
      rule: `must be ${TOKEN_LIFETIME_S.min} to ${TOKEN_LIFETIME_S.max} seconds (1 minute to 365 days)`,
      description: `Lifetime in seconds. Default ${TOKEN_DEFAULTS.expires_in_s}, one day.`,
    }),
  ),
  uses: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: `Number of hosts that can enrol with the token. Default ${TOKEN_DEFAULTS.uses}.`,
    }),
  ),
  cidr: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'Network that hosts must connect from, such as `10.0.0.0/8`. Default, also if empty: any network.',
    }),
  ),
};

export const Token = Type.Object(tokenFields);
export const PutToken = Type.Object({
  ...tokenFields,
  secret: Type.Optional(
    Type.String({
      description: 'Secret of the token. Only the response that creates the token contains it.',
    }),
  ),
});

export const tokenRoutes = {
  listTokens: route({
    ...common,
    method: 'GET',
    path: '/api/v0/tokens',
    summary: 'List enrolment tokens',
    description: 'Includes exhausted and expired tokens until they are removed.',
    query: Paging,
    statuses: [200],
    answer: Type.Array(Token),
  }),
  getToken: route({
    ...common,
    method: 'GET',
    path,
    summary: 'Get an enrolment token',
    statuses: [200],
    answer: Token,
    refusals: [404],
  }),
  putToken: route({
    ...common,
    method: 'PUT',
    path,
    needsConfirmation: true,
    summary: 'Create an enrolment token',
    description:
      'The secret is the password of the user `token`, for `PUT /api/v0/host` only. Repeating the request with the same settings ' +
      'changes nothing and does not return the secret. Other settings return 409: remove the token first.',
    body: Type.Object({
      name: Repeated('name'),
      cluster: Type.Optional(NameOrNone),
      ...tokenLimits,
    }),
    statuses: [200, 201],
    answer: PutToken,
    refusals: [409],
  }),
  removeToken: route({
    ...common,
    method: 'DELETE',
    path,
    needsConfirmation: true,
    summary: 'Remove an enrolment token',
    description: 'The server no longer accepts the token. Hosts that enrolled with it stay enrolled.',
    statuses: [200],
    answer: EmptyList,
    refusals: [404],
  }),
};
