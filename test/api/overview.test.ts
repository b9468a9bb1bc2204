import { expect, test } from 'vitest';
import { describeServer } from '../harness/stores/describe-server.ts';

const NONE = { investigating: 0, bootstrapping: 0, active: 0, disassociated: 0, failed: 0, unreachable: 0 };

describeServer('GET /overview', service => {
  const overview = async () => (await service().get('/api/v0/overview')).body;

  test('contains zero for every status without hosts', async () => {
    expect(await overview()).toEqual({
      hosts: { total: 0, in_maintenance: 0, by_status: NONE },
      clusters: [],
      operations: { in_process: 0 },
    });
  });

  test('counts hosts and open operations and contains the cluster records', async () => {
    for (const name of ['web', 'empty', 'Web']) await service().makeCluster(name);
    await service().makeHosts('active', 'web', '127.1.9.1', '127.1.9.2', '127.1.9.3');
    await service().makeHosts('unreachable', 'Web', '127.1.9.4');
    await service().makeHosts('failed', undefined, '127.1.9.5');
    for (const host of ['127.1.9.3', '127.1.9.5'])
      await service().put(`/api/v0/host/${host}/maintenance`, { on: true });
    await service().put('/api/v0/cluster/web/restart');
    const clusters = [];
    for (const name of ['Web', 'empty', 'web']) clusters.push((await service().get(`/api/v0/cluster/${name}`)).body);
    expect(await overview()).toEqual({
      hosts: { total: 5, in_maintenance: 2, by_status: { ...NONE, active: 3, unreachable: 1, failed: 1 } },
      clusters,
      operations: { in_process: 1 },
    });
    expect(clusters[2]).toMatchObject({ status: 'degraded', hosts: { total: 3, available: 2 } });
  });
});
