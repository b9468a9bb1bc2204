import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestJson } from '../http/json-request.ts';
import { runTool } from '../programs/run-tool.ts';
import { waitUntil } from '../wait-until.ts';
import type { KubeApiserver } from './kube-apiserver.ts';
import { BUILD_MS, describeOnKubeApiserver } from './kubernetes-programs.ts';
import { startKubeApiserver } from './start-kube-apiserver.ts';

const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };
const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const [ID, SECRET] = ['abcdef', '0123456789abcdef'];

describeOnKubeApiserver('kube-apiserver', () => {
  let server: KubeApiserver;
  beforeAll(async () => {
    server = await startKubeApiserver({ controllers: true });
  }, BUILD_MS);
  afterAll(() => server?.stop());

  const post = async (target: string, body: unknown, token = server.adminToken) =>
    server.request(target, { method: 'POST', body, token });

  const makeToken = (id: string, expiration: string) =>
    post('/api/v1/namespaces/kube-system/secrets', {
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': id,
        'token-secret': SECRET,
        expiration,
        'usage-bootstrap-authentication': 'true',
        'usage-bootstrap-signing': 'true',
        'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
      },
    });

  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  const makePod = async (name: string, app: string) => {
    const containers = [{ name: 'main', image: 'none' }];
    const pod = { metadata: { name, labels: { app } }, spec: { nodeName: 'somewhere', containers } };
    expect((await post(PODS, pod)).status).toBe(201);
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const patch = { method: 'PATCH', headers: MERGE_PATCH, body: { status } };
    expect((await server.request(`${PODS}/${name}/status`, patch)).status).toBe(200);
  };

  const makeBudget = (name: string, app: string, minAvailable: number) =>
    post(BUDGETS, { metadata: { name }, spec: { minAvailable, selector: { matchLabels: { app } } } });

  const evict = (name: string, apiVersion = 'policy/v1beta1') =>
    post(`${PODS}/${name}/eviction`, { apiVersion, kind: 'Eviction', metadata: { name } });

  test('reports its version', async () => {
    const { body } = await server.request('/version');
    expect(body).toMatchObject({ major: '1', minor: '20' });
  });

  test('rejects a cordon with an outdated resource version', async () => {
    const created = await post('/api/v1/nodes', { metadata: { name: 'one' } });
    const { metadata } = created.body as { metadata: { resourceVersion: string } };
    const patch = (body: unknown) =>
      server.request('/api/v1/nodes/one', { method: 'PATCH', headers: MERGE_PATCH, body });
    expect((await patch({ metadata: { labels: { changed: 'yes' } } })).status).toBe(200);
    const cordon = (resourceVersion?: string) =>
      patch({ metadata: { ...(resourceVersion && { resourceVersion }) }, spec: { unschedulable: true } });
    expect(await cordon(metadata.resourceVersion)).toMatchObject({
      status: 409,
      body: { reason: 'Conflict' },
    });
    expect(await cordon()).toMatchObject({ status: 200, body: { spec: { unschedulable: true } } });
  });

  test.each([
    ['a wrong token', 'wrong', 401],
    ['a token without permissions', 'powerless', 403],
    ['no token', '', 403],
  ])('rejects %s', async (_case, which, status) => {
    const token = which === 'powerless' ? server.unprivilegedToken : which;
    expect((await server.request('/api/v1/nodes', { token })).status).toBe(status);
  });

  test('clients without its authority reject its certificate', async () => {
    await expect(requestJson(`${server.url}/version`)).rejects.toThrow(/certificate/);
  });

  test('accepts a bootstrap token until it expires, and signs cluster-info with it', async () => {
    expect((await makeToken(ID, inAnHour())).status).toBe(201);
    const tryCreate = (token: string) => post(REQUESTS, {}, token);
    // 422 means that authentication and authorization succeeded.
    await waitUntil('the token is known', async () => (await tryCreate(`${ID}.${SECRET}`)).status === 422);
    expect((await tryCreate(`${ID}.ffffffffffffffff`)).status).toBe(401);
    expect((await server.request('/api/v1/secrets', { token: `${ID}.${SECRET}` })).status).toBe(403);
    await makeToken('fedcba', new Date(Date.now() - 1000).toISOString());
    expect((await tryCreate(`fedcba.${SECRET}`)).status).toBe(401);
    await waitUntil('cluster-info is signed', async () => {
      const target = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
      const { body } = await server.request(target, { token: '' });
      return (body as { data?: Record<string, string> }).data?.[`jws-kubeconfig-${ID}`];
    });
  });

  test('signs the certificate of a node with a bootstrap token', async () => {
    await makeToken('aaaaaa', inAnHour());
    const [key, file] = ['key', 'request'].map(name => path.join(path.dirname(server.kubeconfigPath), name));
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = '/O=system:nodes/CN=system:node:two';
    await runTool(['openssl', 'req', ...kind, '-subj', subject, '-keyout', key ?? '', '-out', file ?? '']);
    const spec = {
      request: readFileSync(file ?? '').toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'key encipherment', 'client auth'],
    };
    const createRequest = () => post(REQUESTS, { metadata: { name: 'two' }, spec }, `aaaaaa.${SECRET}`);
    await waitUntil('the request is accepted', async () => (await createRequest()).status === 201);
    await waitUntil('the certificate is signed', async () => {
      const { body } = await server.request(`${REQUESTS}/two`);
      return (body as { status?: { certificate?: string } }).status?.certificate;
    });
  });

  test('evicts pods without a disruption budget', async () => {
    await makePod('free', 'free');
    expect((await evict('free')).status).toBe(201);
    expect((await evict('unknown')).status).toBe(404);
  });

  test('evicts as many pods as the disruption budget allows', async () => {
    for (const name of ['spare1', 'spare2']) await makePod(name, 'spare');
    await makeBudget('spare', 'spare', 1);
    await waitUntil('the budget is counted', async () => {
      const { body } = await server.request(`${BUDGETS}/spare`);
      return (body as { status?: { disruptionsAllowed?: number } }).status?.disruptionsAllowed === 1;
    });
    expect((await evict('spare1')).status).toBe(201);
    expect(await evict('spare2')).toMatchObject({
      status: 429,
      body: { reason: 'TooManyRequests', details: { causes: [{ reason: 'DisruptionBudget' }] } },
    });
  });

  test('returns 500 for a pod with two disruption budgets', async () => {
    await makePod('twice', 'twice');
    for (const name of ['twice1', 'twice2']) await makeBudget(name, 'twice', 0);
    await waitUntil('both budgets are known', async () => (await evict('twice')).status === 500);
  });
});
