import { beforeAll, expect, test } from 'vitest';
import { describeServer } from '../harness/stores/describe-server.ts';

const WINDOW = { days: ['sat'], start: '22:00', end: '04:00', zone: 'Europe/Berlin' };

/** For each field an invalid value and the path of the error. */
const INVALID: readonly [string, object][] = [
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

describeServer('operation policies', service => {
  const cluster = '/api/v0/cluster/web';
  const pathsOf = (body: unknown) => (body as { errors: { path: string }[] }).errors.map(({ path }) => path);

  beforeAll(async () => {
    await service().put(cluster, { network: 'default' });
    await service().makeHosts('active', 'web', '127.2.0.1', '127.2.0.2', '127.2.0.3');
    await service().put('/api/v0/host/127.2.0.2/labels', { zone: 'a' });
    await service().makeHosts('active', undefined, '127.2.0.9');
  });

  test.each(INVALID)('rejects an operation with an error at %s for the policy %j', async (path, policy) => {
    for (const kind of ['restart', 'upgrade', 'deploy']) {
      const { status, body } = await service().put(`${cluster}/${kind}`, { version: '1', policy });
      expect([status, body]).toMatchObject([400, { code: 'invalid_body' }]);
      expect(pathsOf(body)).toEqual([`/policy${path}`]);
      expect((await service().get(`${cluster}/${kind}`)).status).toBe(404);
    }
  });

  test('returns the first hundred errors of a policy', async () => {
    const policy = { hosts: Array(500).fill('x') };
    const { status, body } = await service().put(`${cluster}/restart`, { policy });
    expect([status, pathsOf(body)]).toEqual([400, Array.from({ length: 100 }, (_, path) => `/policy/hosts/${path}`)]);
  });

  test.each(INVALID)(
    'rejects a cluster policy with an error at %s for %j and keeps the previous one',
    async (path, policy) => {
      await service().put(`${cluster}/policy`, { canary: 2 });
      const { status, body } = await service().put(`${cluster}/policy`, policy);
      expect([status, pathsOf(body)]).toEqual([400, [path]]);
      expect((await service().get(`${cluster}/policy`)).body).toEqual({ canary: 2 });
      await service().put(`${cluster}/policy`, {});
    },
  );

  test.each(['restart', 'deploy'])('rejects a %s without reboot', async kind => {
    const put = (policy: object) => service().put(`${cluster}/${kind}`, { version: '1', policy });
    expect(pathsOf((await put({ reboot: 'never' })).body)).toEqual(['/policy/reboot']);
    await service().put(`${cluster}/policy`, { reboot: 'never' });
    const { body } = await put({});
    expect(body).toMatchObject({ errors: [{ message: expect.stringContaining('of the cluster') }] });
    await service().put(`${cluster}/policy`, {});
  });

  test.each([{ hosts: ['127.2.0.9'] }, { order: ['127.2.0.9'] }, { hosts: ['127.2.0.8'] }])(
    'rejects hosts that are not members: %j',
    async policy => {
      const put = service().put(`${cluster}/restart`, { policy });
      expect(await service().errorCode(put)).toBe('409 not_a_member');
    },
  );

  test('PUT replaces the complete cluster policy, returns it unchanged and emits an event', async () => {
    expect((await service().get(`${cluster}/policy`)).body).toEqual({});
    const policy = { max_unavailable: '25%', drain: { timeout_s: 60 }, window: WINDOW, check: null };
    const set = await service().put(`${cluster}/policy`, { ...policy, name: 'web' });
    expect([set.status, set.body]).toEqual([200, policy]);
    expect((await service().get(`${cluster}/policy`)).body).toEqual(policy);
    expect((await service().put(`${cluster}/policy`, { ramp: true })).body).toEqual({ ramp: true });
    expect((await service().get(`${cluster}/policy`)).body).toEqual({ ramp: true });
    const { body } = await service().get('/api/v0/audit?type=cluster.policy_changed&subject=web&limit=1');
    expect(body).toMatchObject([{ cluster: 'web', actor: 'admin', data: {} }]);
    expect((await service().put(`${cluster}/policy`)).body).toEqual({});
  });

  test.each([true, false])('rejects dry_run: %s in a cluster policy', async dry_run => {
    const { status, body } = await service().put(`${cluster}/policy`, { dry_run });
    expect([status, pathsOf(body)]).toEqual([400, ['/dry_run']]);
  });

  test('returns 404 for an unknown cluster', async () => {
    const path = '/api/v0/cluster/nowhere/policy';
    expect(await service().errorCode(service().get(path))).toBe('404 not_found');
    expect(await service().errorCode(service().put(path, {}))).toBe('404 not_found');
    expect(await service().errorCode(service().put(`${cluster}/policy`, { name: 'other' }))).toBe('400 path_mismatch');
  });

  test('a cluster policy is removed with its cluster', async () => {
    await service().put('/api/v0/cluster/gone', { network: 'default' });
    await service().put('/api/v0/cluster/gone/policy', { ramp: true });
    await service().delete('/api/v0/cluster/gone');
    await service().put('/api/v0/cluster/gone', { network: 'default' });
    expect((await service().get('/api/v0/cluster/gone/policy')).body).toEqual({});
  });

  test('the policy of the request overrides the cluster policy, which overrides the defaults', async () => {
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

  test('selects hosts and their order', async () => {
    const policy = { order: ['127.2.0.3'], hosts: ['127.2.0.3', '127.2.0.2', '127.2.0.2'] };
    const { headers } = await service().put(`${cluster}/restart`, { policy });
    const addresses = async (location: string) =>
      (await service().get<{ hosts: { address: string }[] }>(location)).body.hosts.map(({ address }) => address);
    expect(await addresses(headers.get('location') ?? '')).toEqual(['127.2.0.3', '127.2.0.2']);
    const plan = await service().put<{ hosts: { address: string }[] }>(`${cluster}/upgrade`, {
      policy: { labels: ['zone=a'], dry_run: true },
    });
    expect(plan.body.hosts.map(({ address }) => address)).toEqual(['127.2.0.2']);
  });
});
