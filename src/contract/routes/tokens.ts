import Type from 'typebox';
import { TOKEN_STATES } from '../../domain/vocabulary.ts';
import { EmptyList, NameOrNone, Paging, Repeated, Timestamp } from '../fields.ts';
import { ADMINS, route } from '../route.ts';

const common = { tag: 'Tokens', roles: ADMINS } as const;
const path = '/api/v0/token/{name}';

const tokenFields = {
  name: Type.String(),
  cluster: Type.String({ description: 'The cluster that hosts join; empty: none.' }),
  cidr: Type.String({ description: 'The network that hosts must call from; empty: any.' }),
  uses: Type.Integer({ description: 'How many hosts may enrol by it.' }),
  used: Type.Integer({ description: 'How many have.' }),
  created_at: Timestamp,
  expires_at: Timestamp,
  state: Type.Enum(TOKEN_STATES),
};

/** A day, for one host. */
export const TOKEN_DEFAULTS = { expires_in_s: 86_400, uses: 1, cidr: '' };

/** For how long, for how many and from where a token is good. */
export const tokenLimits = {
  expires_in_s: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 31_536_000,
      description: `Default ${TOKEN_DEFAULTS.expires_in_s}, a day.`,
    }),
  ),
  uses: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: `How many hosts may enrol by it. Default ${TOKEN_DEFAULTS.uses}.`,
    }),
  ),
  cidr: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The network that hosts must call from, such as `10.0.0.0/8`. Default, and empty: any.',
    }),
  ),
};

export const Token = Type.Object(tokenFields);
export const PutToken = Type.Object({
  ...tokenFields,
  secret: Type.Optional(
    Type.String({ description: 'Only in the answer that made the token: nobody can tell it again.' }),
  ),
});

export const tokenRoutes = {
  listTokens: route({
    ...common,
    method: 'GET',
    path: '/api/v0/tokens',
    summary: 'All enrolment tokens',
    description: 'Also those that can be used no more, until they are removed.',
    query: Paging,
    statuses: [200],
    answer: Type.Array(Token),
  }),
  getToken: route({
    ...common,
    method: 'GET',
    path,
    summary: 'An enrolment token',
    statuses: [200],
    answer: Token,
    refusals: [404],
  }),
  putToken: route({
    ...common,
    method: 'PUT',
    path,
    needsConfirmation: true,
    summary: 'Makes an enrolment token',
    description:
      'Its secret is the password of the user `token`, for `PUT /api/v0/host` and nothing else. Repeating it with the same settings ' +
      'changes nothing, and does not tell the secret. Other settings are refused: remove the token first.',
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
    summary: 'Removes an enrolment token',
    description: 'The token is no longer accepted. Hosts that were enrolled with it stay enrolled.',
    statuses: [200],
    answer: EmptyList,
    refusals: [404],
  }),
};
