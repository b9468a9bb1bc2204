import Type from 'typebox';
import { ADMINS, READERS, route } from '../route.ts';

const Hold = Type.Object({ paused: Type.Boolean({ description: 'Whether all operations are paused.' }) });

const hold = { tag: 'Operations', statuses: [200], answer: Hold } as const;

/** The pause of all operations at once. */
export const holdRoutes = {
  getGlobalPause: route({
    ...hold,
    method: 'GET',
    path: '/api/v0/pause',
    summary: 'Check whether all operations are paused',
    roles: READERS,
  }),
  pauseAllOperations: route({
    ...hold,
    method: 'PUT',
    path: '/api/v0/pause',
    summary: 'Pause all operations',
    description: 'No further host starts. Hosts in flight finish.',
    roles: ADMINS,
    body: Type.Object({}),
  }),
  resumeAllOperations: route({
    ...hold,
    method: 'PUT',
    path: '/api/v0/resume',
    summary: 'End the pause of all operations',
    description: 'Operations that were paused individually stay paused.',
    roles: ADMINS,
    body: Type.Object({}),
  }),
};
