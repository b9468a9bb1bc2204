import { expect, test } from 'vitest';
import { PRIVATE_KEY } from '../harness/keys.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

onEachStore(
  'with HOSTLER_COMPAT=commissaire',
  service => {
    test('bad credentials are answered by 403', async () => {
      for (const as of [null, 'admin:wrong', 'nobody:x']) {
        const { status, headers, body } = await service().get('/api/v0/hosts', { as });
        expect([status, headers.get('www-authenticate')]).toEqual([403, null]);
        expect(body).toMatchObject({ status: 403, code: 'unauthorized' });
      }
    });

    test('a repeated PUT of a record is answered by 201', async () => {
      const puts: [string, object][] = [
        ['/api/v0/network/n', { type: 'none', options: {} }],
        ['/api/v0/containermanager/m', { type: 'trivial', options: {} }],
        ['/api/v0/cluster/c', { network: 'n' }],
        ['/api/v0/host/127.0.1.1', { ssh_priv_key: PRIVATE_KEY }],
        ['/api/v0/cluster/c/restart', {}],
      ];
      for (const [path, body] of [...puts, ...puts])
        expect((await service().put(path, body)).status).toBe(201);
    });

    test('the records of operations name their cluster, and a plan is no record', async () => {
      await service().put('/api/v0/cluster/named', { network: 'default' });
      const plan = await service().put('/api/v0/cluster/named/upgrade', { policy: { dry_run: true } });
      expect([plan.status, plan.body]).toMatchObject([200, { dry_run: true }]);
      expect(plan.body).not.toHaveProperty('name');
      const started = await service().put('/api/v0/cluster/named/upgrade');
      expect([started.status, started.body]).toMatchObject([201, { name: 'named', upgraded: [] }]);
      expect((await service().get('/api/v0/cluster/named/upgrade')).body).toEqual(started.body);
    });

    test('membership PUTs are answered by 200 as ever', async () => {
      await service().put('/api/v0/cluster/c', { network: 'default' });
      await service().makeHosts('disassociated', undefined, '127.0.1.2');
      expect((await service().put('/api/v0/cluster/c/hosts/127.0.1.2')).status).toBe(200);
      expect((await service().put('/api/v0/cluster/c/hosts', { old: ['127.0.1.2'], new: [] })).status).toBe(
        200,
      );
    });

    test.each([undefined, {}, { container_manager: '' }])(
      'a cluster created by %j gets the default network',
      async body => {
        const name = `old-${JSON.stringify(body ?? null).length}`;
        const { status, headers, body: cluster } = await service().put(`/api/v0/cluster/${name}`, body);
        expect([status, cluster]).toMatchObject([201, { network: 'default' }]);
        expect(headers.get('deprecation')).toBe(`@${Date.UTC(2026, 10, 15) / 1000}`);
        expect(headers.get('link')).toBe('</docs#putCluster>; rel="deprecation"; type="text/html"');
      },
    );

    test('the API documents say that a cluster without a network is deprecated', async () => {
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

    test('the document asks for no network, since nobody has to send one', async () => {
      const { body } = await service().get<{ paths: object }>('/openapi.json', { as: null });
      expect(body.paths).toHaveProperty(['/api/v0/cluster/{name}', 'put', 'requestBody', 'required'], false);
    });

    test('a cluster created with a network is not told of any deprecation', async () => {
      const { headers } = await service().put('/api/v0/cluster/modern', { network: 'default' });
      expect([headers.get('deprecation'), headers.get('link')]).toEqual([null, null]);
    });

    test('everything else is refused as ever', async () => {
      expect(await service().refusal(service().put('/api/v0/cluster/x', { network: 5 }))).toBe(
        '400 invalid_body',
      );
      expect(await service().refusal(service().put('/api/v0/cluster/x', []))).toBe('400 invalid_body');
      expect(
        await service().refusal(service().put('/api/v0/network/n', { type: 'flannel_kube', options: {} })),
      ).toBe('409 conflict');
      expect(await service().refusal(service().get('/api/v0/cluster/x'))).toBe('404 not_found');
    });
  },
  { HOSTLER_COMPAT: 'commissaire' },
);
