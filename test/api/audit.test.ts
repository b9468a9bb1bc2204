import { beforeAll, expect, test } from 'vitest';
import { PRIVATE_KEY } from '../harness/keys.ts';
import { onEachStore } from '../harness/on-each-store.ts';
import { ADMIN_PASSWORD } from '../harness/service.ts';

interface Entry {
  readonly id: number;
  readonly at: string;
  readonly type: string;
  readonly subject: string;
  readonly actor: string;
  readonly address: string;
  readonly request_id: string;
  readonly cluster: string | null;
  readonly host: string | null;
  readonly data: Record<string, unknown>;
}

onEachStore('the audit log', service => {
  const audit = async (query = '') =>
    (await service().get<Entry[]>(`/api/v0/audit?limit=1000&${query}`)).body;
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

  test('has every change in the order in which it happened', async () => {
    // How a cluster is follows from the rest, and is told when it is looked at.
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
      'account.password',
      'account.removed',
    ]);
  });

  test('says who did it, from where, in which request, and when', async () => {
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
      data: { type: 'none' },
    });
  });

  test('has reads of credentials, and no secret', async () => {
    const text = JSON.stringify(await audit());
    expect(await audit('type=host.credentials_read')).toMatchObject([
      { subject: '127.0.1.1', host: '127.0.1.1', actor: 'admin' },
    ]);
    for (const secret of [PRIVATE_KEY, 'very-secret', ADMIN_PASSWORD, 'another', 'argon2'])
      expect(text).not.toContain(secret);
  });

  test('has reads of secret options, but not of records whose secrets were hidden or which have none', async () => {
    const as = await service().makeAccount('no-secrets', 'operator');
    await service().get('/api/v0/containermanager/m', { as });
    await service().get('/api/v0/network/default');
    expect(await audit('type=container_manager.secrets_read')).toEqual([]);
    await service().get('/api/v0/containermanager/m');
    expect(await audit('type=container_manager.secrets_read')).toMatchObject([
      { subject: 'm', actor: 'admin' },
    ]);
    expect(await audit('type=network.secrets_read')).toEqual([]);
  });

  test('says nothing of accounts to those who may not manage them', async () => {
    const as = await service().makeAccount('reader', 'viewer');
    const { body } = await service().get<Entry[]>('/api/v0/audit?limit=1000', { as });
    expect(body.length).toBeGreaterThan(5);
    expect(body.filter(entry => entry.type.startsWith('account.'))).toEqual([]);
    expect((await service().get('/api/v0/audit?type=account.created', { as })).body).toEqual([]);
  });

  test('has nothing of what was refused or found there already', async () => {
    const before = await audit();
    await service().put('/api/v0/network/who', { type: 'none', options: {} });
    await service().put('/api/v0/network/who', { type: 'flannel_kube', options: {} });
    await service().put('/api/v0/cluster/x', { network: 'nowhere' });
    await service().delete('/api/v0/network/nowhere');
    await service().get('/api/v0/host/127.0.99.99/creds');
    expect(await audit()).toEqual(before);
  });

  test.each([
    ['type=cluster.members', ['cluster.members', 'cluster.members']],
    ['cluster=c&host=127.0.1.1', ['host.created', 'host.status']],
    ['subject=person', ['account.created', 'account.password', 'account.removed']],
    ['actor=nobody', []],
    ['since=2999-01-01', []],
    ['until=2001-01-01T00:00', []],
    ['actor=&type=account.created', ['account.created']],
  ])('is filtered by %s', async (query, expected) => {
    expect(await types(query)).toEqual(expected);
  });

  test('is read in pages, newest first', async () => {
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
    'with %s is refused',
    async query => {
      expect(await service().refusal(service().get(`/api/v0/audit?${query}`))).toBe('400 invalid_query');
    },
  );
});
