import { beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, PRIVATE_KEY } from '../harness/credentials.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

interface Entry {
  readonly id: number;
  readonly at: string;
  readonly type: string;
  readonly subject: string;
  readonly actor: string;
  readonly address: string;
  readonly request_id: string;
  readonly result: string;
  readonly cluster: string | null;
  readonly host: string | null;
  readonly data: Record<string, unknown>;
}

describeServer('audit log', service => {
  const audit = async (query = '') => (await service().get<Entry[]>(`/api/v0/audit?limit=1000&${query}`)).body;
  const types = async (query: string) => (await audit(query)).map(entry => entry.type).reverse();

  beforeAll(async () => {
    await service().put('/api/v0/network/n', { type: 'none', options: {} });
    const { headers } = await service().get('/api/v0/network/n');
    await service().put(
      '/api/v0/network/n',
      { type: 'flannel_kube', options: {} },
      { headers: { 'if-match': headers.get('etag') ?? '' } },
    );
    await service().put('/api/v0/containermanager/m', {
      type: 'kubernetes',
      options: { server_url: 'http://127.0.0.1', token: 'very-secret' },
    });
    await service().put('/api/v0/cluster/c', { network: 'n' });
    await service().makeHosts('active', 'c', '127.0.1.1');
    await service().get('/api/v0/host/127.0.1.1/creds');
    await service().delete('/api/v0/cluster/c/hosts/127.0.1.1');
    await service().delete('/api/v0/host/127.0.1.1');
    await service().delete('/api/v0/cluster/c');
    await service().delete('/api/v0/network/n');
    await service().makeAccount('person', 'operator');
    await service().put('/api/v0/user/person/password', { password: 'another' });
    await service().delete('/api/v0/user/person');
  });

  test('records every change in order', async () => {
    // The health of a cluster is derived, and its event is emitted when the server evaluates it.
    const made = (await types('')).filter(type => type !== 'cluster.status');
    expect(made).toEqual([
      'account.created',
      'network.created',
      'network.changed',
      'container_manager.created',
      'cluster.created',
      'host.created',
      'cluster.members',
      'host.credentials_read',
      'cluster.members',
      'host.status',
      'host.removed',
      'cluster.removed',
      'network.removed',
      'account.created',
      'account.password_changed',
      'account.removed',
    ]);
  });

  test('records actor, address, request ID and time', async () => {
    const created = await service().put('/api/v0/network/who', { type: 'none', options: {} });
    const [entry] = await audit('subject=who');
    expect(entry).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/),
      type: 'network.created',
      subject: 'who',
      actor: 'admin',
      address: '127.0.0.1',
      request_id: created.headers.get('x-request-id'),
      cluster: null,
      host: null,
      operation: null,
      result: 'ok',
      data: { type: 'none' },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('records reads of credentials without secrets', async () => {
    const text = JSON.stringify(await audit());
    expect(await audit('type=host.credentials_read')).toMatchObject([
      { subject: '127.0.1.1', host: '127.0.1.1', actor: 'admin' },
    ]);
    for (const secret of [PRIVATE_KEY, 'very-secret', ADMIN_PASSWORD, 'another', 'argon2'])
      expect(text).not.toContain(secret);
  });

  test('records reads of secret options, but not of hidden or missing secrets', async () => {
    const as = await service().makeAccount('no-secrets', 'operator');
    await service().get('/api/v0/containermanager/m', { as });
    await service().get('/api/v0/network/default');
    const { body: listed } = await service().get('/api/v0/containermanagers/?extended=true');
    expect(listed).toContainEqual(expect.objectContaining({ options: expect.objectContaining({ token: '(hidden)' }) }));
    expect(await audit('type=container_manager.secrets_read')).toEqual([]);
    await service().get('/api/v0/containermanager/m');
    expect(await audit('type=container_manager.secrets_read')).toMatchObject([{ subject: 'm', actor: 'admin' }]);
    expect(await audit('type=network.secrets_read')).toEqual([]);
  });

  test('hides account entries from accounts that cannot manage accounts', async () => {
    const as = await service().makeAccount('reader', 'viewer');
    const { body } = await service().get<Entry[]>('/api/v0/audit?limit=1000', { as });
    expect(body.length).toBeGreaterThan(5);
    expect(body.filter(entry => entry.type.startsWith('account.'))).toEqual([]);
    expect((await service().get('/api/v0/audit?type=account.created', { as })).body).toEqual([]);
  });

  test('records no entry for requests that change nothing', async () => {
    const before = await audit();
    await service().put('/api/v0/network/who', { type: 'none', options: {} });
    await service().delete('/api/v0/network/nowhere');
    await service().get('/api/v0/host/127.0.99.99');
    await service().get('/api/v0/hosts?limit=0');
    await service().put('/api/v0/nowhere/at/all', {});
    expect(await audit()).toEqual(before);
  });

  test('records denied requests with actor and reason', async () => {
    const as = await service().makeAccount('curious', 'viewer');
    const refused = await service().get('/api/v0/host/127.0.99.99/creds?why=not', { as });
    expect(await audit('type=request.denied&actor=curious')).toMatchObject([
      {
        subject: '127.0.99.99',
        host: '127.0.99.99',
        cluster: null,
        address: '127.0.0.1',
        request_id: refused.headers.get('x-request-id'),
        result: 'forbidden',
        data: {
          ...{ method: 'GET', path: '/api/v0/host/127.0.99.99/creds' },
          ...{ status: 403, code: 'forbidden', count: 1 },
        },
      },
    ]);
    expect((await service().get('/api/v0/audit?type=request.denied', { as })).body).toEqual([]);
  });

  test.each([
    ['PUT', '/api/v0/cluster/refused', { network: 'nowhere' }, 'refused', 'unknown_network'],
    ['PUT', '/api/v0/cluster/refused', { network: 7 }, 'refused', 'invalid_body'],
    ['PUT', '/api/v0//cluster/refused/hosts/127.0.99.99/', {}, 'refused', 'not_found'],
    ['PUT', '/api/v0/network/who', { type: 'flannel_kube', options: {} }, 'who', 'conflict'],
    ['DELETE', '/api/v0/host/127.0.99.98', undefined, '127.0.99.98', 'not_found'],
    ['DELETE', '/api/v0/network/default', undefined, 'default', 'built_in'],
    ['GET', '/api/v0/host/127.0.99.97/creds', undefined, '127.0.99.97', 'not_found'],
    ['PUT', '/api/v0/network/not%0Aa%20name', { type: 'none', options: {} }, 'not a name', 'invalid_name'],
    ['PUT', '/api/v0/host', { ssh_priv_key: 'no key' }, '/api/v0/host', 'invalid_private_key'],
  ])('records that %s %s with %j was denied', async (method, path, body, subject, result) => {
    await service().request(method, path, { body });
    const [entry] = await audit(`subject=${encodeURIComponent(subject)}&type=request.denied`);
    expect(entry).toMatchObject({ actor: 'admin', subject, result, data: { method, code: result } });
  });

  test('records failed logins, but not the names of unknown accounts', async () => {
    await service().makeAccount('guessed', 'viewer');
    for (const password of ['a', 'b', 'c']) await service().get('/api/v0/hosts', { as: `guessed:${password}` });
    await service().get('/api/v0/hosts', { as: 'hunter2:admin' });
    await service().get('/api/v0/hosts', { as: null });
    const entries = await audit('type=account.login_failed');
    expect(entries.reverse()).toMatchObject([
      {
        ...{ subject: 'guessed', actor: '', address: '127.0.0.1', result: 'unauthorized' },
        data: { account_exists: true, code: 'unauthorized' },
      },
      { subject: '', data: { account_exists: false, count: 1 } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('hunter2');
  });

  test.each([
    ['type=cluster.members', ['cluster.members', 'cluster.members']],
    ['cluster=c&host=127.0.1.1', ['host.created', 'host.status']],
    ['subject=person', ['account.created', 'account.password_changed', 'account.removed']],
    ['actor=unknown', []],
    ['since=2999-01-01', []],
    ['until=2001-01-01T00:00', []],
    ['actor=&type=account.created', ['account.created']],
  ])('filters by %s', async (query, expected) => {
    expect(await types(query)).toEqual(expected);
  });

  test('returns pages, newest entry first', async () => {
    const all = await audit();
    const seen: Entry[] = [];
    let next: string | undefined = '/api/v0/audit?limit=5';
    while (next) {
      const page: { body: Entry[]; headers: Headers } = await service().get<Entry[]>(next);
      seen.push(...page.body);
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(all);
    expect(seen.map(entry => entry.id)).toEqual(seen.map(entry => entry.id).sort((a, b) => b - a));
  });

  test.each(['type=host.exploded', 'limit=0', 'limit=1001', 'after=x', 'since=yesterday'])(
    'rejects the query %s',
    async query => {
      expect(await service().errorCode(service().get(`/api/v0/audit?${query}`))).toBe('400 invalid_query');
    },
  );
});
