import Type from 'typebox';
import { WATCH_STATES } from '../../domain/vocabulary.ts';
import { READERS, route } from '../route.ts';

export const WatchReport = Type.Object({
  state: Type.Enum(WATCH_STATES, {
    description:
      '`off`: no host is watched. `watching`: all is well. `behind`: checks are late. `partitioned`: most hosts stopped answering at once, so the server has probably lost its network, and statuses are kept.',
  }),
  interval_s: Type.Number({ description: 'How often each host is checked; 0: none is.' }),
  lag_s: Type.Number({ description: 'How late the check is that is due the longest.' }),
  hosts: Type.Integer({ description: 'Hosts that are watched.' }),
  unreachable: Type.Integer({ description: 'Those of them that do not answer.' }),
  detail: Type.String({ description: 'What to know or to do; empty when all is well.' }),
});

export const watchRoutes = {
  getWatch: route({
    method: 'GET',
    path: '/api/v0/watch',
    tag: 'Hosts',
    summary: 'How the watching of hosts goes',
    roles: READERS,
    statuses: [200],
    answer: WatchReport,
  }),
};
