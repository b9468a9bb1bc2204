import Type from 'typebox';
import { DEFAULT_REMOTE_USER } from '../../domain/defaults.ts';
import { MAX_PASSWORD_LENGTH } from '../../domain/vocabulary.ts';
import { RemoteUser, Repeated } from '../fields.ts';
import { ADMINS, route } from '../route.ts';
import { tokenLimits } from './tokens.ts';

const Legacy = Type.Object(
  {
    account: Type.String({
      maxLength: 128,
      description: 'Account that can enrol hosts, preferably with the role `enrol`.',
    }),
    password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, writeOnly: true }),
  },
  {
    additionalProperties: false,
    description:
      'Legacy method for hosts with their own private key: the script contains the account and its password, and no token is created.',
  },
);

export const userDataRoutes = {
  createUserData: route({
    method: 'PUT',
    path: '/api/v0/cluster/{name}/user-data',
    tag: 'Tokens',
    summary: 'Create cloud-init user data with which hosts enrol themselves into the cluster',
    description:
      'Returns a shell script with a new enrolment token. The header `Hostler-Token-Name` contains the name of the token. Each call creates another token. The script is secret.',
    roles: ADMINS,
    needsConfirmation: true,
    bodySize: 'document',
    body: Type.Object({
      name: Repeated('name'),
      ...tokenLimits,
      url: Type.Optional(
        Type.String({
          maxLength: 2048,
          description: 'URL of the server for the hosts. Default: the setting `public_url`.',
        }),
      ),
      ca: Type.Optional(
        Type.String({
          maxLength: 65_536,
          description:
            'PEM certificates of the CA that signed the certificate of the server. Default: the CAs that the hosts trust.',
        }),
      ),
      remote_user: Type.Optional(
        RemoteUser(`SSH user that the server logs in as. Default \`${DEFAULT_REMOTE_USER}\`.`),
      ),
      legacy: Type.Optional(Legacy),
    }),
    statuses: [201],
    answer: Type.String(),
    mediaType: 'text/x-shellscript; charset=utf-8',
    refusals: [404],
  }),
};
