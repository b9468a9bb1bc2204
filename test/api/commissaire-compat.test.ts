import { expect, test } from 'vitest';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

describeServer(
  'HOSTLER_COMPAT=commissaire',
  service => {
    test('returns 403 for invalid credentials', async () => {
      for (const as of [null, 'admin:wrong', 'unknown:x']) {
        const { status, headers, body } = await service().get('/api/v0/hosts', { as });
        expect([status, headers.get('www-authenticate')]).toEqual([403, null]);
        expect(body).toMatchObject({ status: 403, code: 'unauthorized' });
      }
    });

    test('returns 201 for a repeated PUT of a record', async () => {
      const requests: [string, object][] = [
        ['/api/v0/network/n', { type: 'none', options: {} }],
        ['/api/v0/containermanager/m', { type: 'trivial', options: {} }],
        ['/api/v0/cluster/c', { network: 'n' }],
        ['/api/v0/host/127.0.1.1', { ssh_priv_key: PRIVATE_KEY }],
        ['/api/v0/cluster/c/restart', {}],
      ];
      for (const [path, body] of [...requests, ...requests]) expect((await service().put(path, body)).status).toBe(201);
    });

    test('adds the cluster name to operations, but not to plans', async () => {
      await service().put('/api/v0/cluster/named', { network: 'default' });
      const plan = await service().put('/api/v0/cluster/named/upgrade', { policy: { dry_run: true } });
      expect([plan.status, plan.body]).toMatchObject([200, { dry_run: true }]);
      expect(plan.body).not.toHaveProperty('name');
      const started = await service().put('/api/v0/cluster/named/upgrade');
      expect([started.status, started.body]).toMatchObject([201, { name: 'named', upgraded: [] }]);
      expect((await service().get('/api/v0/cluster/named/upgrade')).body).toEqual(started.body);
    });

    test('returns 200 for PUTs of members', async () => {
      await service().put('/api/v0/cluster/c', { network: 'default' });
      await service().makeHosts('disassociated', undefined, '127.0.1.2');
      expect((await service().put('/api/v0/cluster/c/hosts/127.0.1.2')).status).toBe(200);
      expect((await service().put('/api/v0/cluster/c/hosts', { old: ['127.0.1.2'], new: [] })).status).toBe(200);
    });

    test.each([undefined, {}, { container_manager: '' }])(
      'a cluster created with %j gets the default network',
      async body => {
        const name = `old-${JSON.stringify(body ?? null).length}`;
        const { status, headers, body: cluster } = await service().put(`/api/v0/cluster/${name}`, body);
        expect([status, cluster]).toMatchObject([201, { network: 'default' }]);
        expect(headers.get('deprecation')).toBe(`@${Date.UTC(2026, 10, 15) / 1000}`);
        expect(headers.get('link')).toBe('</docs#putCluster>; rel="deprecation"; type="text/html"');
      },
    );

    test('the API documentation marks a cluster without a network as deprecated', async () => {
      const { text: page } = await service().get('/docs', { as: null });
      const [section = ''] = /<details id="putCluster">.*?<\/details>/s.exec(page) ?? [];
      expect(section).toContain('Omitting this field is deprecated since 2026-11-15: name the network');
      const { body } = await service().get<{ paths: object }>('/openapi.json', { as: null });
      expect(body.paths).toHaveProperty(
        [
          ...['/api/v0/cluster/{name}', 'put', 'requestBody', 'content'],
          ...['application/json', 'schema', 'properties', 'network', 'description'],
        ],
        expect.stringContaining('deprecated since 2026-11-15'),
      );
    });

    test('openapi.json does not require the body of putCluster', async () => {
      const { body } = await service().get<{ paths: object }>('/openapi.json', { as: null });
      expect(body.paths).toHaveProperty(['/api/v0/cluster/{name}', 'put', 'requestBody', 'required'], false);
    });

    test('sends no Deprecation header for a cluster with a network', async () => {
      const { headers } = await service().put('/api/v0/cluster/modern', { network: 'default' });
      expect([headers.get('deprecation'), headers.get('link')]).toEqual([null, null]);
    });

    test('rejects other invalid requests', async () => {
      expect(await service().errorCode(service().put('/api/v0/cluster/x', { network: 5 }))).toBe('400 invalid_body');
      expect(await service().errorCode(service().put('/api/v0/cluster/x', []))).toBe('400 invalid_body');
      expect(await service().errorCode(service().put('/api/v0/network/n', { type: 'flannel_kube', options: {} }))).toBe(
        '409 conflict',
      );
      expect(await service().errorCode(service().get('/api/v0/cluster/x'))).toBe('404 not_found');
    });
  },
  { HOSTLER_COMPAT: 'commissaire' },
);
