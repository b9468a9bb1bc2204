import Type from 'typebox';
import { ADMINS, READERS, route } from '../route.ts';

const Hold = Type.Object({ paused: Type.Boolean({ description: 'Whether all operations are held.' }) });

const hold = { tag: 'Operations', statuses: [200], answer: Hold } as const;

/** What people do to all operations at once. */
export const holdRoutes = {
  getHold: route({
    ...hold,
    method: 'GET',
    path: '/api/v0/pause',
    summary: 'Whether all operations are held',
    roles: READERS,
  }),
  holdOperations: route({
    ...hold,
    method: 'PUT',
    path: '/api/v0/pause',
    summary: 'Holds every operation at once',
    description: 'Nothing new is started; what is in flight comes to its end.',
    roles: ADMINS,
    body: Type.Object({}),
  }),
  releaseOperations: route({
    ...hold,
    method: 'PUT',
    path: '/api/v0/resume',
    summary: 'Releases every operation that was held',
    description: 'Those that were paused one by one stay paused.',
    roles: ADMINS,
    body: Type.Object({}),
  }),
};
