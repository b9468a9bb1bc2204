import Type from 'typebox';
import { READERS, route } from '../route.ts';

export const Identity = Type.Object({
  public_key: Type.String({ description: 'As it stands in `authorized_keys`.' }),
});

export const identityRoutes = {
  getIdentity: route({
    method: 'GET',
    path: '/api/v0/identity',
    tag: 'Service',
    summary: "The public half of the service's own SSH key",
    description: 'Hosts that enrol by a token, and send no key of theirs, let in whoever has the other half.',
    roles: READERS,
    statuses: [200],
    answer: Identity,
  }),
};
