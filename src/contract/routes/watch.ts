import Type from 'typebox';
import { HEALTH_CHECKER_STATES } from '../../domain/vocabulary.ts';
import { READERS, route } from '../route.ts';

export const WatchReport = Type.Object({
  state: Type.Enum(HEALTH_CHECKER_STATES, {
    description:
      '`off`: this server checks no hosts. `ok`: checks are on time. `lagging`: checks are late. `partitioned`: most hosts stopped responding at the same time, so the server has probably lost its network and keeps the statuses.',
  }),
  interval_s: Type.Number({
    description: 'Seconds between two health checks of a host. 0 if hosts are not checked.',
  }),
  lag_s: Type.Number({ description: 'Delay of the most overdue health check in seconds.' }),
  hosts: Type.Integer({ description: 'Number of hosts that are checked.' }),
  unreachable: Type.Integer({ description: 'Number of these hosts that do not respond.' }),
  detail: Type.String({
    description: 'Explanation of the state, and what to do. Empty if there is no problem.',
  }),
});

export const watchRoutes = {
  getHealthChecks: route({
    method: 'GET',
    path: '/api/v0/health-checks',
    tag: 'Hosts',
    summary: 'Get the state of the health checks',
    roles: READERS,
    statuses: [200],
    answer: WatchReport,
  }),
};
