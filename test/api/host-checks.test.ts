import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

const HOST = '127.1.10.1' as Address;

describeServer('GET /host/{ADDRESS}/checks', service => {
  const checks = () => service().get(`/api/v0/host/${HOST}/checks`);

  test('returns the checks, oldest first', async () => {
    expect(await service().errorCode(checks())).toBe('404 not_found');
    await service().makeHosts('active', undefined, HOST);
    expect((await checks()).body).toEqual([]);
    const [first, second] = ['2030-01-01T00:00:00.001000', '2030-01-01T00:01:00.000000'];
    await service().store.transaction(async ({ hosts, healthChecks }) => {
      const host = await hosts.lock(HOST);
      await healthChecks.recordPassed([HOST], first);
      if (host) await hosts.updateAfterCheck(host, { at: second, result: 'unreachable' });
    });
    const expected = [
      { at: first, result: 'passed' },
      { at: second, result: 'unreachable' },
    ];
    expect((await checks()).body).toEqual(expected);
    const viewer = await service().makeAccount('reader', 'viewer');
    expect((await service().get(`/api/v0/host/${HOST}/checks`, { as: viewer })).body).toEqual(expected);
  });
});
