import Type from 'typebox';
import { READERS, route } from '../route.ts';

export const Identity = Type.Object({
  public_key: Type.String({ description: 'Public key in the format of `authorized_keys`.' }),
});

export const identityRoutes = {
  getIdentity: route({
    method: 'GET',
    path: '/api/v0/identity',
    tag: 'Service',
    summary: "Get Hostler's own public SSH key",
    description: 'Hosts that enrol with a token and send no private key must authorize this key.',
    roles: READERS,
    statuses: [200],
    answer: Identity,
  }),
};
