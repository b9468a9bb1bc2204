import Type from 'typebox';
import { DEFAULT_REMOTE_USER } from '../../domain/defaults.ts';
import { MAX_PASSWORD_LENGTH } from '../../domain/vocabulary.ts';
import { RemoteUser, Repeated } from '../fields.ts';
import { ADMINS, route } from '../route.ts';
import { tokenLimits } from './tokens.ts';

const Legacy = Type.Object(
  {
    account: Type.String({ maxLength: 128, description: 'May enrol hosts; best one with the role `enrol`.' }),
    password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, writeOnly: true }),
  },
  {
    additionalProperties: false,
    description:
      'The old way, for hosts that shall be known by a key of their own: the account and its password stand in the script, and no token is made.',
  },
);

export const userDataRoutes = {
  putUserData: route({
    method: 'PUT',
    path: '/api/v0/cluster/{name}/user-data',
    tag: 'Tokens',
    summary: 'Makes user-data for cloud-init, by which hosts enrol themselves into the cluster',
    description:
      'A shell script with a new enrolment token in it; `Hostler-Token` has its name. Every call makes another one. The script is a secret.',
    roles: ADMINS,
    needsConfirmation: true,
    bodySize: 'document',
    body: Type.Object({
      name: Repeated('name'),
      ...tokenLimits,
      url: Type.Optional(
        Type.String({
          maxLength: 2048,
          description: 'Where hosts find the service. Default: the setting `public_url`.',
        }),
      ),
      ca: Type.Optional(
        Type.String({
          maxLength: 65_536,
          description:
            'Certificates, as PEM, that the one of the service is signed by. Default: those that systems know.',
        }),
      ),
      remote_user: Type.Optional(
        RemoteUser(`As whom the service logs in. Default \`${DEFAULT_REMOTE_USER}\`.`),
      ),
      legacy: Type.Optional(Legacy),
    }),
    statuses: [201],
    answer: Type.String(),
    mediaType: 'text/x-shellscript; charset=utf-8',
    refusals: [404],
  }),
};
