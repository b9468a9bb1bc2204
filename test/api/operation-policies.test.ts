import { beforeAll, expect, test } from 'vitest';
import { onEachStore } from '../harness/stores/on-each-store.ts';

const WINDOW = { days: ['sat'], start: '22:00', end: '04:00', zone: 'Europe/Berlin' };

/** For each field something that it cannot be, and where the refusal points to. */
const WRONG: readonly [string, object][] = [
  ['/max_unavailable', { max_unavailable: 0 }],
  ['/max_unavailable', { max_unavailable: '101%' }],
  ['/canary', { canary: -1 }],
  ['/ramp', { ramp: 'yes' }],
  ['/max_failures', { max_failures: -1 }],
  ['/on_failure', { on_failure: 'stop' }],
  ['/hosts', { hosts: '127.0.0.1' }],
  ['/hosts', { hosts: [] }],
  ['/hosts/1', { hosts: ['127.2.0.1', 'web-2'] }],
  ['/labels/0', { labels: ['='] }],
  ['/order', { order: 'name' }],
  ['/order/0', { order: ['web-2'] }],
  ['/stage_parallel', { stage_parallel: 0 }],
  ['/drain', { drain: { timeout_s: 0 } }],
  ['/reboot', { reboot: 'maybe' }],
  ['/check', { check: [] }],
  ['/check/0', { check: [''] }],
  ['/timeouts/apply', { timeouts: { apply: 0 } }],
  ['/min_healthy_s', { min_healthy_s: -1 }],
  ['/window', { window: { ...WINDOW, days: [] } }],
  ['/window/zone', { window: { ...WINDOW, zone: 'Mars/Olympus' } }],
  ['/dry_run', { dry_run: 'yes' }],
  ['/max_unavailabel', { max_unavailabel: 1 }],
];

onEachStore('policies', service => {
  const cluster = '/api/v0/cluster/web';
  const pathsOf = (body: unknown) => (body as { errors: { path: string }[] }).errors.map(({ path }) => path);

  beforeAll(async () => {
    await service().put(cluster, { network: 'default' });
    await service().makeHosts('active', 'web', '127.2.0.1', '127.2.0.2', '127.2.0.3');
    await service().put('/api/v0/host/127.2.0.2/labels', { zone: 'a' });
    await service().makeHosts('active', undefined, '127.2.0.9');
  });

  test.each(WRONG)('%s is where %j is wrong, and nothing is started', async (at, policy) => {
    for (const kind of ['restart', 'upgrade', 'deploy']) {
      const { status, body } = await service().put(`${cluster}/${kind}`, { version: '1', policy });
      expect([status, body]).toMatchObject([400, { code: 'invalid_body' }]);
      expect(pathsOf(body)).toEqual([`/policy${at}`]);
      expect((await service().get(`${cluster}/${kind}`)).status).toBe(404);
    }
  });

  test('of a policy with many errors, the first hundred are returned', async () => {
    const policy = { hosts: Array(500).fill('x') };
    const { status, body } = await service().put(`${cluster}/restart`, { policy });
    expect([status, pathsOf(body)]).toEqual([
      400,
      Array.from({ length: 100 }, (_, at) => `/policy/hosts/${at}`),
    ]);
  });

  test.each(WRONG)('%s is where %j is wrong in the policy of a cluster, which stays', async (at, policy) => {
    await service().put(`${cluster}/policy`, { canary: 2 });
    const { status, body } = await service().put(`${cluster}/policy`, policy);
    expect([status, pathsOf(body)]).toEqual([400, [at]]);
    expect((await service().get(`${cluster}/policy`)).body).toEqual({ canary: 2 });
    await service().put(`${cluster}/policy`, {});
  });

  test.each(['restart', 'deploy'])('a %s without a reboot is refused', async kind => {
    const put = (policy: object) => service().put(`${cluster}/${kind}`, { version: '1', policy });
    expect(pathsOf((await put({ reboot: 'never' })).body)).toEqual(['/policy/reboot']);
    await service().put(`${cluster}/policy`, { reboot: 'never' });
    const { body } = await put({});
    expect(body).toMatchObject({ errors: [{ message: expect.stringContaining('of the cluster') }] });
    await service().put(`${cluster}/policy`, {});
  });

  test.each([{ hosts: ['127.2.0.9'] }, { order: ['127.2.0.9'] }, { hosts: ['127.2.0.8'] }])(
    'hosts that are no members are refused: %j',
    async policy => {
      const put = service().put(`${cluster}/restart`, { policy });
      expect(await service().refusal(put)).toBe('409 not_a_member');
    },
  );

  test('of a cluster is answered as it was sent, replaced as a whole, and told', async () => {
    expect((await service().get(`${cluster}/policy`)).body).toEqual({});
    const wish = { max_unavailable: '25%', drain: { timeout_s: 60 }, window: WINDOW, check: null };
    const set = await service().put(`${cluster}/policy`, { ...wish, name: 'web' });
    expect([set.status, set.body]).toEqual([200, wish]);
    expect((await service().get(`${cluster}/policy`)).body).toEqual(wish);
    expect((await service().put(`${cluster}/policy`, { ramp: true })).body).toEqual({ ramp: true });
    expect((await service().get(`${cluster}/policy`)).body).toEqual({ ramp: true });
    const { body } = await service().get('/api/v0/audit?type=cluster.policy_changed&subject=web&limit=1');
    expect(body).toMatchObject([{ cluster: 'web', actor: 'admin', data: {} }]);
    expect((await service().put(`${cluster}/policy`)).body).toEqual({});
  });

  test.each([true, false])('of a cluster has no dry_run: %s', async dry_run => {
    const { status, body } = await service().put(`${cluster}/policy`, { dry_run });
    expect([status, pathsOf(body)]).toEqual([400, ['/dry_run']]);
  });

  test('of a cluster that is not there is not there', async () => {
    const path = '/api/v0/cluster/nowhere/policy';
    expect(await service().refusal(service().get(path))).toBe('404 not_found');
    expect(await service().refusal(service().put(path, {}))).toBe('404 not_found');
    expect(await service().refusal(service().put(`${cluster}/policy`, { name: 'other' }))).toBe(
      '400 path_mismatch',
    );
  });

  test('of a cluster is gone with the cluster', async () => {
    await service().put('/api/v0/cluster/gone', { network: 'default' });
    await service().put('/api/v0/cluster/gone/policy', { ramp: true });
    await service().delete('/api/v0/cluster/gone');
    await service().put('/api/v0/cluster/gone', { network: 'default' });
    expect((await service().get('/api/v0/cluster/gone/policy')).body).toEqual({});
  });

  test('what is asked for goes before what the cluster has, and that before the rest', async () => {
    await service().put('/api/v0/cluster/own', { network: 'default' });
    await service().put('/api/v0/cluster/own/policy', { canary: 2, max_failures: 3 });
    const { headers } = await service().put('/api/v0/cluster/own/restart', { policy: { canary: 1 } });
    const { body } = await service().get(headers.get('location') ?? '');
    expect(body).toMatchObject({ policy: { canary: 1, max_failures: 3, max_unavailable: 1 } });
    await service().put('/api/v0/cluster/own/policy', { max_failures: 9 });
    expect((await service().get(headers.get('location') ?? '')).body).toMatchObject({
      policy: { max_failures: 3 },
    });
  });

  test('chooses hosts and their order', async () => {
    const policy = { order: ['127.2.0.3'], hosts: ['127.2.0.3', '127.2.0.2', '127.2.0.2'] };
    const { headers } = await service().put(`${cluster}/restart`, { policy });
    const addresses = async (location: string) =>
      (await service().get<{ hosts: { address: string }[] }>(location)).body.hosts.map(
        ({ address }) => address,
      );
    expect(await addresses(headers.get('location') ?? '')).toEqual(['127.2.0.3', '127.2.0.2']);
    const plan = await service().put<{ hosts: { address: string }[] }>(`${cluster}/upgrade`, {
      policy: { labels: ['zone=a'], dry_run: true },
    });
    expect(plan.body.hosts.map(({ address }) => address)).toEqual(['127.2.0.2']);
  });
});
