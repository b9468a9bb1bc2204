import { describe, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

/** Networks and container managers keep the same rules; each runs them all with types of its own. */
const KINDS = [
  {
    what: 'network',
    one: '/api/v0/network',
    all: '/api/v0/networks/',
    type: 'none',
    other: 'flannel_server',
  },
  {
    what: 'container manager',
    one: '/api/v0/containermanager',
    all: '/api/v0/containermanagers/',
    type: 'trivial',
    other: 'kubernetes',
  },
] as const;

const otherOptions = {
  flannel_server: { address: '127.0.0.1:8888' },
  kubernetes: { server_url: 'https://127.0.0.1:6443' },
};

onEachStore('driver records', service => {
  describe.each(KINDS)('a $what', ({ one, all, type, other }) => {
    const path = (name: string) => `${one}/${name}`;
    const body = { type, options: {} };
    const otherBody = { type: other, options: otherOptions[other] };

    test('is created with 201 and answered as it was sent', async () => {
      const created = await service().put(path('made'), otherBody);
      expect([created.status, created.body]).toEqual([201, { name: 'made', ...otherBody }]);
      const read = await service().get(path('made'));
      expect([read.status, read.body]).toEqual([200, { name: 'made', ...otherBody }]);
    });

    test('is found there by a repeated PUT, whatever the order of its options', async () => {
      await service().put(path('again'), body);
      const repeated = await service().put(path('again'), {
        options: {},
        type,
        name: 'again',
        unknown: 'ignored',
      });
      expect([repeated.status, repeated.body]).toEqual([200, { name: 'again', ...body }]);
    });

    test('with other content is a conflict, and nothing changes', async () => {
      await service().put(path('kept'), body);
      expect(await service().refusal(service().put(path('kept'), otherBody))).toBe('409 conflict');
      expect((await service().get(path('kept'))).body).toEqual({ name: 'kept', ...body });
    });

    test('is replaced by a PUT that names its ETag in If-Match', async () => {
      const { headers } = await service().put(path('replaced'), body);
      const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } };
      const replaced = await service().put(path('replaced'), otherBody, ifMatch);
      expect([replaced.status, replaced.body]).toEqual([200, { name: 'replaced', ...otherBody }]);
      expect(replaced.headers.get('etag')).not.toBe(headers.get('etag'));
      expect(await service().refusal(service().put(path('replaced'), body, ifMatch))).toBe(
        '412 precondition_failed',
      );
      expect((await service().get(path('replaced'))).headers.get('etag')).toBe(replaced.headers.get('etag'));
    });

    test.each([
      ['"another"', 412],
      ['W/"weak"', 412],
      ['nonsense', 412],
      ['*', 200],
    ])('with If-Match %s answers %i', async (ifMatch, status) => {
      const name = `match-${ifMatch.length}`;
      await service().put(path(name), body);
      expect((await service().put(path(name), otherBody, { headers: { 'if-match': ifMatch } })).status).toBe(
        status,
      );
    });

    test('that does not exist fails If-Match, and is not created', async () => {
      const answer = service().put(path('nowhere'), body, { headers: { 'if-match': '*' } });
      expect(await service().refusal(answer)).toBe('412 precondition_failed');
      expect((await service().get(path('nowhere'))).status).toBe(404);
    });

    test('made anew under an old name does not match the old ETag', async () => {
      const { headers } = await service().put(path('reborn'), body);
      await service().delete(path('reborn'));
      await service().put(path('reborn'), body);
      const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } };
      expect((await service().put(path('reborn'), otherBody, ifMatch)).status).toBe(412);
    });

    test('is removed with an empty list, and once more when it is gone', async () => {
      await service().put(path('gone'), body);
      for (const _ of [1, 2]) {
        const removed = await service().delete(path('gone'));
        expect([removed.status, removed.body]).toEqual([200, []]);
      }
      expect(await service().refusal(service().get(path('gone')))).toBe('404 not_found');
    });

    test('is not removed when If-Match names another state of it', async () => {
      await service().put(path('guarded'), body);
      const removal = service().delete(path('guarded'), { headers: { 'if-match': '"old"' } });
      expect(await service().refusal(removal)).toBe('412 precondition_failed');
      expect((await service().get(path('guarded'))).status).toBe(200);
    });

    test('is listed by name, in the order of code points', async () => {
      for (const name of ['b', 'B', 'a', '_', '-', '1']) await service().put(path(name), body);
      const { body: names } = await service().get<string[]>(all);
      const ours = names.filter(name => name.length === 1);
      expect(ours).toEqual(['-', '1', 'B', '_', 'a', 'b']);
    });

    test('is listed in pages that follow each other', async () => {
      const { body: names } = await service().get<string[]>(all);
      const seen: string[] = [];
      let next: string | undefined = `${all}?limit=4`;
      while (next) {
        const page: Awaited<ReturnType<typeof read>> = await read(next);
        expect(page.body.length).toBeLessThanOrEqual(4);
        seen.push(...page.body);
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      }
      expect(seen).toEqual(names);
    });
    const read = (page: string) => service().get<string[]>(page);

    test.each([
      ['type is required; options is required', {}],
      ['type is required', { options: {} }],
      ['options is required', { type }],
      ['options must be an object', { type, options: [] }],
      ['options must be an object', { type, options: null }],
      ['type must be a string', { type: 1, options: {} }],
      ['the body must be an object', []],
      ['the body must be an object', 'text'],
      ['the body must be an object', null],
    ])('is refused when %s', async (detail, wrong) => {
      const { status, body: problem } = await service().put<Problem>(path('wrong'), wrong);
      expect([status, problem.code, problem.detail]).toEqual([400, 'invalid_body', detail]);
      expect((await service().get(path('wrong'))).status).toBe(404);
    });

    test('of an unknown type is refused with the types there are', async () => {
      const { status, body: problem } = await service().put<Problem>(path('wrong'), {
        type: 'magic',
        options: {},
      });
      expect([status, problem.errors?.[0]?.path]).toEqual([400, '/type']);
      expect(problem.errors?.[0]?.message).toContain(type);
    });

    test('with wrong and unknown options is told of all of them', async () => {
      const options = { ...otherOptions[other], zebra: 1, apple: 2 };
      const { status, body: problem } = await service().put<Problem>(path('wrong'), { type: other, options });
      expect(status).toBe(400);
      expect(problem.errors?.map(error => error.path).sort()).toEqual(['/options/apple', '/options/zebra']);
    });

    test('whose body names another is refused', async () => {
      expect(await service().refusal(service().put(path('this'), { ...body, name: 'that' }))).toBe(
        '400 path_mismatch',
      );
    });

    test.each(['a b', 'ü', 'a.b', 'x'.repeat(129), '%2F', '%zz', '%ff'])(
      'cannot be called %j',
      async name => {
        const encoded = name.startsWith('%') ? name : encodeURIComponent(name);
        expect(await service().refusal(service().put(path(encoded), body))).toBe('400 invalid_name');
        expect(await service().refusal(service().get(path(encoded)))).toBe('400 invalid_name');
      },
    );

    test('can have a name of 128 characters', async () => {
      expect((await service().put(path('n'.repeat(128)), body)).status).toBe(201);
    });

    test('cannot be removed while a cluster uses it', async () => {
      await service().put(path('used'), body);
      const settings =
        type === 'none' ? { network: 'used' } : { network: 'default', container_manager: 'used' };
      await service().put('/api/v0/cluster/user', settings);
      const kind = type === 'none' ? 'network' : 'container manager';
      expect((await service().delete(path('used'))).body).toMatchObject({
        ...{ status: 409, code: 'in_use' },
        detail: `the ${kind} used is used by the cluster user; change or remove this cluster first`,
      });
      expect((await service().get(path('used'))).status).toBe(200);
      await service().delete('/api/v0/cluster/user');
      expect((await service().delete(path('used'))).status).toBe(200);
    });
  });

  describe('of a record that a cluster uses', () => {
    const etcd = { endpoints: ['http://127.0.0.1:2379'] };
    const server_url = 'https://127.0.0.1:6443';
    const [containermanager, network] = ['containermanager', 'network'];
    let made = 0;

    async function replaced(kind: string, before: object, after: object) {
      made += 1;
      const path = `/api/v0/${kind}/served-${made}`;
      const { headers } = await service().put(path, before);
      const field = kind === network ? 'network' : 'container_manager';
      const settings = { network: 'default', [field]: `served-${made}` };
      expect((await service().put(`/api/v0/cluster/served-${made}`, settings)).status).toBe(201);
      const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } };
      return { path, answer: await service().put<Problem>(path, after, ifMatch) };
    }

    test.each([
      [containermanager, 'trivial', {}, 'kubernetes', { server_url }, 'type'],
      ...['kubernetes', 'openshift', 'k3s', 'swarm'].map(
        type =>
          [
            ...[containermanager, type, { server_url }],
            ...[type, { server_url: 'https://127.0.0.2:6443' }, 'server_url'],
          ] as const,
      ),
      [containermanager, 'kubernetes', { server_url }, 'kubernetes', { server_url, join: false }, 'join'],
      [network, 'none', {}, 'flannel_kube', {}, 'type'],
      [network, 'flannel_etcd', etcd, 'flannel_etcd', { ...etcd, prefix: '/other' }, 'prefix'],
    ] as [string, string, object, string, object, string][])(
      'the %s of type %s %j does not become %s %j: its %s stays',
      async (kind, type, options, otherType, other, stays) => {
        const before = { type, options };
        const { path, answer } = await replaced(kind, before, { type: otherType, options: other });
        expect([answer.status, answer.body.code]).toEqual([409, 'in_use']);
        expect(answer.body.detail).toMatch(
          new RegExp(
            `^the (?:network|container manager) served-\\d+ is used by the cluster served-\\d+, so its ${stays} cannot change; create another record`,
          ),
        );
        expect((await service().get(path)).body).toMatchObject(before);
      },
    );

    test.each<[kind: string, type: string, before: object, after: object]>([
      [
        containermanager,
        'kubernetes',
        { server_url, token: 'old' },
        { server_url, token: 'new', ca_path: '/ca' },
      ],
      [containermanager, 'kubernetes', { server_url }, { server_url, join: true }],
      [containermanager, 'openshift', { server_url }, { server_url, join: true }],
      [network, 'flannel_etcd', etcd, { endpoints: [...etcd.endpoints, 'http://127.0.0.2:2379'] }],
      [network, 'flannel_etcd', etcd, { ...etcd, prefix: '/coreos.com/network' }],
    ])('the %s of type %s %j becomes %j', async (kind, type, before, after) => {
      const { answer } = await replaced(kind, { type, options: before }, { type, options: after });
      expect([answer.status, answer.body]).toMatchObject([200, { type, options: after }]);
    });
  });

  test('the network default exists from the start and stays', async () => {
    expect((await service().get('/api/v0/network/default')).body).toEqual({
      name: 'default',
      type: 'none',
      options: {},
    });
    expect(await service().refusal(service().delete('/api/v0/network/default'))).toBe('409 built_in');
    expect((await service().put('/api/v0/network/default', { type: 'none', options: {} })).status).toBe(200);
  });

  test('a secret option is shown to an admin only', async () => {
    const options = { server_url: 'https://127.0.0.1:6443', token: 'a-token-of-the-cluster' };
    const path = '/api/v0/containermanager/secretive';
    const operator = await service().makeAccount('secret-operator', 'operator');
    const viewer = await service().makeAccount('secret-viewer', 'viewer');
    expect((await service().put(path, { type: 'kubernetes', options })).body).toMatchObject({ options });
    expect((await service().get(path)).body).toMatchObject({ options });
    for (const as of [operator, viewer]) {
      const { text, body } = await service().get(path, { as });
      expect(body).toMatchObject({ options: { server_url: options.server_url, token: '(hidden)' } });
      expect(text).not.toContain(options.token);
    }
    const repeated = await service().put(path, { type: 'kubernetes', options }, { as: operator });
    expect([repeated.status, repeated.text.includes(options.token)]).toEqual([200, false]);
    const other = { ...options, token: 'another' };
    expect((await service().put(path, { type: 'kubernetes', options: other })).status).toBe(409);
  });

  test.each(['1e400', '12345678901234567890'])(
    'the number %s, which could not be answered as it was sent, is refused',
    async number => {
      const raw = `{"type":"flannel_kube","options":{"backend":{"Type":"vxlan","VNI":${number}}}}`;
      const answer = await service().request<Problem>('PUT', '/api/v0/network/large-number', { raw });
      expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, '/options/backend/VNI']);
    },
  );

  test('what stands for a secret is not taken for one', async () => {
    const options = { server_url: 'https://127.0.0.1:6443', token: '(hidden)' };
    const answer = await service().put<Problem>('/api/v0/containermanager/masked', {
      type: 'kubernetes',
      options,
    });
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, '/options/token']);
  });
});
