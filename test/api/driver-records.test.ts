import { describe, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

/** Networks and container managers share all rules. Each runs all tests with its own driver types. */
const KINDS = [
  {
    noun: 'network',
    recordPath: '/api/v0/network',
    listPath: '/api/v0/networks/',
    type: 'none',
    other: 'flannel_server',
  },
  {
    noun: 'container manager',
    recordPath: '/api/v0/containermanager',
    listPath: '/api/v0/containermanagers/',
    type: 'trivial',
    other: 'kubernetes',
  },
] as const;

const otherOptions = {
  flannel_server: { address: '127.0.0.1:8888' },
  kubernetes: { server_url: 'https://127.0.0.1:6443' },
};

describeServer('driver records', service => {
  describe.each(KINDS)('$noun', ({ recordPath, listPath, type, other }) => {
    const path = (name: string) => `${recordPath}/${name}`;
    const body = { type, options: {} };
    const otherBody = { type: other, options: otherOptions[other] };

    test('PUT creates it with 201 and returns it unchanged', async () => {
      const created = await service().put(path('made'), otherBody);
      expect([created.status, created.body]).toEqual([201, { name: 'made', ...otherBody }]);
      const read = await service().get(path('made'));
      expect([read.status, read.body]).toEqual([200, { name: 'made', ...otherBody }]);
    });

    test('a repeated PUT returns 200 in any key order', async () => {
      await service().put(path('again'), body);
      const repeated = await service().put(path('again'), {
        options: {},
        type,
        name: 'again',
        unknown: 'ignored',
      });
      expect([repeated.status, repeated.body]).toEqual([200, { name: 'again', ...body }]);
    });

    test('GET with extended=true returns the records in pages', async () => {
      for (const name of ['ext-a', 'ext-b', 'ext-c']) await service().put(path(name), body);
      const names = await service().get<string[]>(`${listPath}?after=ext-&limit=2`);
      const first = await service().get(`${listPath}?after=ext-&limit=2&extended=true`);
      expect(names.body).toEqual(['ext-a', 'ext-b']);
      expect(first.body).toEqual(names.body.map(name => ({ name, ...body })));
      expect(first.headers.get('link')).toBe(`<${listPath}?after=ext-b&limit=2&extended=true>; rel="next"`);
      const last = await service().get(`${listPath}?after=ext-b&limit=2&extended=true`);
      expect([(last.body as readonly object[])[0], last.headers.has('link')]).toEqual([
        { name: 'ext-c', ...body },
        false,
      ]);
      expect((await service().get(`${listPath}?after=ext-&limit=2&extended=false`)).body).toEqual(names.body);
    });

    test('PUT with different content returns 409 and changes nothing', async () => {
      await service().put(path('kept'), body);
      expect(await service().errorCode(service().put(path('kept'), otherBody))).toBe('409 conflict');
      expect((await service().get(path('kept'))).body).toEqual({ name: 'kept', ...body });
    });

    test('PUT with the current ETag in If-Match replaces it', async () => {
      const { headers } = await service().put(path('replaced'), body);
      const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } };
      const replace = await service().put(path('replaced'), otherBody, ifMatch);
      expect([replace.status, replace.body]).toEqual([200, { name: 'replaced', ...otherBody }]);
      expect(replace.headers.get('etag')).not.toBe(headers.get('etag'));
      expect(await service().errorCode(service().put(path('replaced'), body, ifMatch))).toBe('412 precondition_failed');
      expect((await service().get(path('replaced'))).headers.get('etag')).toBe(replace.headers.get('etag'));
    });

    test.each([
      ['"another"', 412],
      ['W/"weak"', 412],
      ['nonsense', 412],
      ['*', 200],
    ])('PUT with If-Match %s returns %i', async (ifMatch, status) => {
      const name = `match-${ifMatch.length}`;
      await service().put(path(name), body);
      expect((await service().put(path(name), otherBody, { headers: { 'if-match': ifMatch } })).status).toBe(status);
    });

    test('PUT with If-Match returns 412 for a missing record and does not create it', async () => {
      const response = service().put(path('nowhere'), body, { headers: { 'if-match': '*' } });
      expect(await service().errorCode(response)).toBe('412 precondition_failed');
      expect((await service().get(path('nowhere'))).status).toBe(404);
    });

    test('a recreated record does not match the ETag of its predecessor', async () => {
      const { headers } = await service().put(path('reborn'), body);
      await service().delete(path('reborn'));
      await service().put(path('reborn'), body);
      const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } };
      expect((await service().put(path('reborn'), otherBody, ifMatch)).status).toBe(412);
    });

    test('DELETE returns an empty list, also for a missing record', async () => {
      await service().put(path('gone'), body);
      for (const _ of [1, 2]) {
        const removed = await service().delete(path('gone'));
        expect([removed.status, removed.body]).toEqual([200, []]);
      }
      expect(await service().errorCode(service().get(path('gone')))).toBe('404 not_found');
    });

    test('DELETE with an outdated If-Match returns 412', async () => {
      await service().put(path('guarded'), body);
      const removal = service().delete(path('guarded'), { headers: { 'if-match': '"old"' } });
      expect(await service().errorCode(removal)).toBe('412 precondition_failed');
      expect((await service().get(path('guarded'))).status).toBe(200);
    });

    test('the list is sorted by code points', async () => {
      for (const name of ['b', 'B', 'a', '_', '-', '1']) await service().put(path(name), body);
      const { body: names } = await service().get<string[]>(listPath);
      const shortNames = names.filter(name => name.length === 1);
      expect(shortNames).toEqual(['-', '1', 'B', '_', 'a', 'b']);
    });

    test('the list is returned in pages', async () => {
      const { body: names } = await service().get<string[]>(listPath);
      const seen: string[] = [];
      let next: string | undefined = `${listPath}?limit=4`;
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
    ])('PUT returns the error "%s" for the body %j', async (detail, invalid) => {
      const { status, body: problem } = await service().put<Problem>(path('wrong'), invalid);
      expect([status, problem.code, problem.detail]).toEqual([400, 'invalid_body', detail]);
      expect((await service().get(path('wrong'))).status).toBe(404);
    });

    test('PUT with an unknown type returns an error that lists the types', async () => {
      const { status, body: problem } = await service().put<Problem>(path('wrong'), {
        type: 'magic',
        options: {},
      });
      expect([status, problem.errors?.[0]?.path]).toEqual([400, '/type']);
      expect(problem.errors?.[0]?.message).toContain(type);
    });

    test('PUT returns all unknown options as errors', async () => {
      const options = { ...otherOptions[other], zebra: 1, apple: 2 };
      const { status, body: problem } = await service().put<Problem>(path('wrong'), { type: other, options });
      expect(status).toBe(400);
      expect(problem.errors?.map(error => error.path).sort()).toEqual(['/options/apple', '/options/zebra']);
    });

    test('PUT with another name in the body returns path_mismatch', async () => {
      expect(await service().errorCode(service().put(path('this'), { ...body, name: 'that' }))).toBe(
        '400 path_mismatch',
      );
    });

    test.each(['a b', 'ü', 'a.b', 'x'.repeat(129), '%2F', '%zz', '%ff'])('rejects the name %j', async name => {
      const encoded = name.startsWith('%') ? name : encodeURIComponent(name);
      expect(await service().errorCode(service().put(path(encoded), body))).toBe('400 invalid_name');
      expect(await service().errorCode(service().get(path(encoded)))).toBe('400 invalid_name');
    });

    test('accepts a name of 128 characters', async () => {
      expect((await service().put(path('n'.repeat(128)), body)).status).toBe(201);
    });

    test('DELETE returns 409 while a cluster uses it', async () => {
      await service().put(path('used'), body);
      const settings = type === 'none' ? { network: 'used' } : { network: 'default', container_manager: 'used' };
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

  describe('a record in use', () => {
    const etcd = { endpoints: ['http://127.0.0.1:2379'] };
    const server_url = 'https://127.0.0.1:6443';
    const [containermanager, network] = ['containermanager', 'network'];
    let count = 0;

    async function replace(kind: string, before: object, after: object) {
      count += 1;
      const path = `/api/v0/${kind}/served-${count}`;
      const { headers } = await service().put(path, before);
      const field = kind === network ? 'network' : 'container_manager';
      const settings = { network: 'default', [field]: `served-${count}` };
      expect((await service().put(`/api/v0/cluster/served-${count}`, settings)).status).toBe(201);
      const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } };
      return { path, response: await service().put<Problem>(path, after, ifMatch) };
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
      'the %s of type %s %j cannot change to %s %j: %s is fixed',
      async (kind, type, options, otherType, other, fixedOption) => {
        const before = { type, options };
        const { path, response } = await replace(kind, before, { type: otherType, options: other });
        expect([response.status, response.body.code]).toEqual([409, 'in_use']);
        expect(response.body.detail).toMatch(
          new RegExp(
            `^the (?:network|container manager) served-\\d+ is used by the cluster served-\\d+, so its ${fixedOption} cannot change; create another record`,
          ),
        );
        expect((await service().get(path)).body).toMatchObject(before);
      },
    );

    test.each<[kind: string, type: string, before: object, after: object]>([
      [containermanager, 'kubernetes', { server_url, token: 'old' }, { server_url, token: 'new', ca_path: '/ca' }],
      [containermanager, 'kubernetes', { server_url }, { server_url, join: true }],
      [containermanager, 'openshift', { server_url }, { server_url, join: true }],
      [network, 'flannel_etcd', etcd, { endpoints: [...etcd.endpoints, 'http://127.0.0.2:2379'] }],
      [network, 'flannel_etcd', etcd, { ...etcd, prefix: '/coreos.com/network' }],
    ])('the %s of type %s %j can change to %j', async (kind, type, before, after) => {
      const { response } = await replace(kind, { type, options: before }, { type, options: after });
      expect([response.status, response.body]).toMatchObject([200, { type, options: after }]);
    });
  });

  test('the default network always exists and cannot be removed', async () => {
    expect((await service().get('/api/v0/network/default')).body).toEqual({
      name: 'default',
      type: 'none',
      options: {},
    });
    expect(await service().errorCode(service().delete('/api/v0/network/default'))).toBe('409 built_in');
    expect((await service().put('/api/v0/network/default', { type: 'none', options: {} })).status).toBe(200);
  });

  test('only an admin sees secret options', async () => {
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
    'rejects the number %s, which JSON cannot represent exactly',
    async number => {
      const raw = `{"type":"flannel_kube","options":{"backend":{"Type":"vxlan","VNI":${number}}}}`;
      const response = await service().request<Problem>('PUT', '/api/v0/network/large-number', { raw });
      expect([response.status, response.body.errors?.[0]?.path]).toEqual([400, '/options/backend/VNI']);
    },
  );

  test('rejects the placeholder of a hidden secret as a secret', async () => {
    const options = { server_url: 'https://127.0.0.1:6443', token: '(hidden)' };
    const response = await service().put<Problem>('/api/v0/containermanager/masked', {
      type: 'kubernetes',
      options,
    });
    expect([response.status, response.body.errors?.[0]?.path]).toEqual([400, '/options/token']);
  });
});
