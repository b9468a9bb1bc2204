import { HOST_STATUSES, UNHEALTHY_STATUSES } from '../../domain/vocabulary.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Check } from './check.ts';
import { ok, warning } from './check.ts';

export const hostsCheck: Check = {
  name: 'hosts',
  settings: ['store', 'data'],
  find: async ({ store }) => {
    const counts = await (await store()).reads.hosts.countByStatus();
    const of = (status: (typeof HOST_STATUSES)[number]) => counts.get(status) ?? 0;
    const total = HOST_STATUSES.reduce((sum, status) => sum + of(status), 0);
    if (total === 0) return [ok('no hosts')];
    const parts = HOST_STATUSES.filter(status => of(status) > 0).map(status => `${of(status)} ${status}`);
    const text = `${plural(total, 'host')}: ${parts.join(', ')}`;
    const unwell = HOST_STATUSES.filter(status => UNHEALTHY_STATUSES.includes(status) && of(status) > 0);
    if (unwell.length === 0) return [ok(text)];
    if (of('unreachable') * 2 > total)
      return [warning(`${text}; most hosts are unreachable: check the network of this machine`)];
    return [warning(`${text}; list them with: hostler host list --status ${unwell[0]}`)];
  },
};
