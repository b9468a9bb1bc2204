import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { KubernetesTestClient } from './api-client.ts';
import { certificateRequest, NODES, REQUESTS, serverFixture } from './kubernetes-fixtures.ts';
import type { Fields } from './objects.ts';
import { at, fieldsAt, textAt } from './objects.ts';

const TOKENS = '/api/v1/namespaces/kube-system/secrets';

const { server, admin, createClient: callerWith } = serverFixture();

describe('accounts of the fake Kubernetes API', () => {
  const getReason = async (client: KubernetesTestClient, ...args: Parameters<KubernetesTestClient['request']>) => {
    const { code, body } = await client.request(...args);
    return [code, textAt(body, 'reason')];
  };

  test('a token grants only its permissions', async () => {
    server().addToken('reader', {
      user: 'reader',
      permissions: [{ verbs: ['get', 'list'], resources: ['nodes'] }],
    });
    const reader = callerWith({ token: 'reader' });
    expect((await reader.request('GET', NODES)).code).toBe(200);
    const { body } = await reader.request('PATCH', `${NODES}/n1/status`, {});
    expect(body).toMatchObject({
      code: 403,
      message:
        'nodes "n1" is forbidden: User "reader" cannot patch resource "nodes/status" in API group "" at the cluster scope',
    });
    const review = (verb: string) =>
      reader.request('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        spec: { resourceAttributes: { verb, resource: 'nodes' } },
      });
    expect(at((await review('list')).body, 'status', 'allowed')).toBe(true);
    expect(at((await review('delete')).body, 'status', 'allowed')).toBe(false);
    server().revokeToken('reader');
    expect((await reader.request('GET', NODES)).code).toBe(401);
  });

  test('an expired token is rejected', async () => {
    server().addToken('late', { user: 'late', groups: ['system:masters'], expiresAtMs: Date.now() - 1 });
    expect(await getReason(callerWith({ token: 'late' }), 'GET', NODES)).toEqual([401, 'Unauthorized']);
  });

  test('a client certificate provides the user name and groups', async () => {
    const { cert, key } = server().clientCertificate('certificate-user', ['system:masters']);
    const client = callerWith({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') });
    expect((await client.request('GET', NODES)).code).toBe(200);
    expect(server().requests.at(-1)).toMatchObject({
      method: 'GET',
      path: NODES,
      user: 'certificate-user',
      status: 200,
    });
  });

  const tokenSecret = (id: string, more: Fields): Fields => ({
    metadata: { name: `bootstrap-token-${id}` },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': id,
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-authentication': 'true',
      ...more,
    },
  });

  test('a bootstrap token may create certificate requests and read cluster-info only', async () => {
    const groups = 'system:bootstrappers:kubeadm:default-node-token';
    const secret = tokenSecret('abcdef', { expiration: '2099-01-01T00:00:00Z', 'auth-extra-groups': groups });
    expect((await admin().request('POST', TOKENS, secret)).code).toBe(201);
    const joining = callerWith({ token: 'abcdef.0123456789abcdef' });
    const info = await joining.request('GET', '/api/v1/namespaces/kube-public/configmaps/cluster-info');
    expect(textAt(info.body, 'data', 'kubeconfig')).toContain(`server: ${server().url}`);
    expect(await getReason(joining, 'GET', NODES)).toEqual([403, 'Forbidden']);
    expect(await getReason(joining, 'GET', `${TOKENS}/bootstrap-token-abcdef`)).toEqual([403, 'Forbidden']);
    const { body } = await joining.request('POST', REQUESTS, certificateRequest('csr-1'));
    expect(fieldsAt(body, 'spec')).toMatchObject({
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', groups, 'system:authenticated'],
    });
    await admin().request('DELETE', `${TOKENS}/bootstrap-token-abcdef`);
    expect(await getReason(joining, 'GET', REQUESTS)).toEqual([401, 'Unauthorized']);
  });

  test.each<[string, Fields]>([
    ['has expired', { expiration: '2001-01-01T00:00:00Z' }],
    ['has an invalid expiration', { expiration: 'soon' }],
    ['is not for authentication', { 'usage-bootstrap-authentication': 'false' }],
    ['has another secret', { 'token-secret': 'fedcba9876543210' }],
    ['has an invalid extra group', { 'auth-extra-groups': 'system:masters' }],
  ])('a bootstrap token that %s is rejected', async (_case, more) => {
    await admin().request('POST', TOKENS, tokenSecret('abcde1', more));
    const joining = callerWith({ token: 'abcde1.0123456789abcdef' });
    expect(await getReason(joining, 'GET', REQUESTS)).toEqual([401, 'Unauthorized']);
    server().remove('secrets', 'bootstrap-token-abcde1', 'kube-system');
  });
});
