import Type from 'typebox';
import { DEFAULT_REMOTE_USER, TOKEN_LIFETIME_S } from '../../domain/defaults.ts';
import { MAX_PASSWORD_LENGTH, TOKEN_STATES } from '../../domain/vocabulary.ts';
import {
  EmptyList,
  integer,
  MatchesPath,
  named,
  OptionalName,
  optionalText,
  Paging,
  RemoteUser,
  Timestamp,
  text,
} from '../fields.ts';
import { ADMINS, defineRoute } from '../route-definition.ts';

const get = { tag: 'Tokens', method: 'GET', roles: ADMINS } as const;
const put = { tag: 'Tokens', method: 'PUT', roles: ADMINS, requiresConfirmation: true } as const;
const path = '/api/v0/token/{name}';

const tokenFields = {
  name: Type.String(),
  cluster: text('Cluster that the hosts join. Empty if they join none.'),
  cidr: text('Network that hosts must connect from. Empty if they can connect from any network.'),
  uses: integer('Number of hosts that can enrol with the token.'),
  used: integer('Number of hosts that have enrolled with the token.'),
  created_at: Timestamp,
  expires_at: Timestamp,
  state: Type.Enum(TOKEN_STATES),
};

export const TOKEN_DEFAULTS = { expires_in_s: 86_400, uses: 1, cidr: '' };

const tokenLimits = {
  expires_in_s: Type.Optional(
    Type.Integer({
      minimum: TOKEN_LIFETIME_S.min,
      maximum: TOKEN_LIFETIME_S.max,
      rule: `must be ${TOKEN_LIFETIME_S.min} to ${TOKEN_LIFETIME_S.max} seconds (1 minute to 365 days)`,
      description: `Lifetime in seconds. Default ${TOKEN_DEFAULTS.expires_in_s}, one day.`,
    }),
  ),
  uses: Type.Optional(
    integer(`Number of hosts that can enrol with the token. Default ${TOKEN_DEFAULTS.uses}.`, {
      minimum: 1,
      maximum: 1_000_000,
    }),
  ),
  cidr: optionalText(
    'Network that hosts must connect from, such as `10.0.0.0/8`. Default, also if empty: any network.',
    {
      maxLength: 64,
    },
  ),
};

export const Token = named('EnrolmentToken', Type.Object(tokenFields));
const TokenWithSecret = named(
  'EnrolmentTokenWithSecret',
  Type.Object({
    ...tokenFields,
    secret: optionalText('Secret of the token. Only the response that creates the token contains it.'),
  }),
);

const TokenInput = named(
  'TokenInput',
  Type.Object({ name: MatchesPath('name'), cluster: Type.Optional(OptionalName), ...tokenLimits }),
);

export const tokenRoutes = {
  listTokens: defineRoute({
    ...get,
    path: '/api/v0/tokens',
    summary: 'List enrolment tokens',
    description: 'Includes exhausted and expired tokens until they are removed.',
    query: Paging,
    response: Type.Array(Token),
  }),
  getToken: defineRoute({
    ...get,
    path,
    summary: 'Get an enrolment token',
    response: Token,
  }),
  putToken: defineRoute({
    ...put,
    path,
    summary: 'Create an enrolment token',
    description:
      'The secret is the password of the user `token`, for `PUT /api/v0/host` only. Repeating the request with the same settings changes nothing and does not return the secret. Other settings return 409: remove the token first.',
    body: TokenInput,
    statuses: [200, 201],
    response: TokenWithSecret,
    errorStatuses: [409],
  }),
  removeToken: defineRoute({
    ...put,
    method: 'DELETE',
    path,
    summary: 'Remove an enrolment token',
    description: 'The server no longer accepts the token. Hosts that enrolled with it stay enrolled.',
    response: EmptyList,
    errorStatuses: [404],
  }),
};

const LegacyCredentials = Type.Object(
  {
    account: text('Account that can enrol hosts, preferably with the role `enrol`.', { maxLength: 128 }),
    password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, writeOnly: true }),
  },
  {
    additionalProperties: false,
    description:
      'Legacy method for hosts with their own private key: the script contains the account and its password, and no token is created.',
  },
);

const UserDataInput = named(
  'UserDataInput',
  Type.Object({
    name: MatchesPath('name'),
    ...tokenLimits,
    url: optionalText('URL of the server for the hosts. Default: the setting `public_url`.', { maxLength: 2048 }),
    ca: optionalText(
      'PEM certificates of the CA that signed the certificate of the server. Default: the CAs that the hosts trust.',
      { maxLength: 65_536 },
    ),
    remote_user: Type.Optional(RemoteUser(`SSH user that the server logs in as. Default \`${DEFAULT_REMOTE_USER}\`.`)),
    legacy: Type.Optional(LegacyCredentials),
  }),
);

export const userDataRoutes = {
  createUserData: defineRoute({
    ...put,
    path: '/api/v0/cluster/{name}/user-data',
    summary: 'Create cloud-init user data with which hosts enrol themselves into the cluster',
    description:
      'Returns a shell script with a new enrolment token. The header `Hostler-Token-Name` contains the name of the token. Each call creates another token. The script is secret.',
    bodySize: 'document',
    body: UserDataInput,
    statuses: [201],
    response: Type.String(),
    mediaType: 'text/x-shellscript; charset=utf-8',
    errorStatuses: [404],
  }),
};
