import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Caller } from './caller.ts';
import type { Fields } from './objects.ts';
import { at, fieldsAt, textAt } from './objects.ts';
import { NODES, REQUESTS, requestOf, serverLab } from './server-lab.ts';

const TOKENS = '/api/v1/namespaces/kube-system/secrets';

const { server, admin, callerWith } = serverLab();

describe('callers', () => {
  const reasonOf = async (caller: Caller, ...args: Parameters<Caller['ask']>) => {
    const { code, body } = await caller.ask(...args);
    return [code, textAt(body, 'reason')];
  };

  test('with a token may do what it gives the right to', async () => {
    server().addToken('reader', {
      user: 'reader',
      rights: [{ verbs: ['get', 'list'], resources: ['nodes'] }],
    });
    const reader = callerWith({ token: 'reader' });
    expect((await reader.ask('GET', NODES)).code).toBe(200);
    const { body } = await reader.ask('PATCH', `${NODES}/n1/status`, {});
    expect(body).toMatchObject({
      code: 403,
      message:
        'nodes "n1" is forbidden: User "reader" cannot patch resource "nodes/status" in API group "" at the cluster scope',
    });
    const review = (verb: string) =>
      reader.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        spec: { resourceAttributes: { verb, resource: 'nodes' } },
      });
    expect(at((await review('list')).body, 'status', 'allowed')).toBe(true);
    expect(at((await review('delete')).body, 'status', 'allowed')).toBe(false);
    server().revokeToken('reader');
    expect((await reader.ask('GET', NODES)).code).toBe(401);
  });

  test('are refused once their token is over', async () => {
    server().addToken('late', { user: 'late', groups: ['system:masters'], expiresAtMs: Date.now() - 1 });
    expect(await reasonOf(callerWith({ token: 'late' }), 'GET', NODES)).toEqual([401, 'Unauthorized']);
  });

  test('with a certificate have the name and the groups in it', async () => {
    const { cert, key } = server().clientCertificate('somebody', ['system:masters']);
    const caller = callerWith({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') });
    expect((await caller.ask('GET', NODES)).code).toBe(200);
    expect(server().requests.at(-1)).toMatchObject({
      method: 'GET',
      path: NODES,
      user: 'somebody',
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

  test('with a bootstrap token may ask for a certificate and read about the cluster, and nothing else', async () => {
    const groups = 'system:bootstrappers:kubeadm:default-node-token';
    const secret = tokenSecret('abcdef', { expiration: '2099-01-01T00:00:00Z', 'auth-extra-groups': groups });
    expect((await admin().ask('POST', TOKENS, secret)).code).toBe(201);
    const joining = callerWith({ token: 'abcdef.0123456789abcdef' });
    const info = await joining.ask('GET', '/api/v1/namespaces/kube-public/configmaps/cluster-info');
    expect(textAt(info.body, 'data', 'kubeconfig')).toContain(`server: ${server().url}`);
    expect(await reasonOf(joining, 'GET', NODES)).toEqual([403, 'Forbidden']);
    expect(await reasonOf(joining, 'GET', `${TOKENS}/bootstrap-token-abcdef`)).toEqual([403, 'Forbidden']);
    const { body } = await joining.ask('POST', REQUESTS, requestOf('csr-1'));
    expect(fieldsAt(body, 'spec')).toMatchObject({
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', groups, 'system:authenticated'],
    });
    await admin().ask('DELETE', `${TOKENS}/bootstrap-token-abcdef`);
    expect(await reasonOf(joining, 'GET', REQUESTS)).toEqual([401, 'Unauthorized']);
  });

  test.each<[string, Fields]>([
    ['is over', { expiration: '2001-01-01T00:00:00Z' }],
    ['has no time that can be read', { expiration: 'soon' }],
    ['is not for authentication', { 'usage-bootstrap-authentication': 'false' }],
    ['has another secret', { 'token-secret': 'fedcba9876543210' }],
    ['has a group of another kind', { 'auth-extra-groups': 'system:masters' }],
  ])('with a bootstrap token that %s are refused', async (_what, more) => {
    await admin().ask('POST', TOKENS, tokenSecret('abcde1', more));
    const joining = callerWith({ token: 'abcde1.0123456789abcdef' });
    expect(await reasonOf(joining, 'GET', REQUESTS)).toEqual([401, 'Unauthorized']);
    server().remove('secrets', 'bootstrap-token-abcde1', 'kube-system');
  });
});
