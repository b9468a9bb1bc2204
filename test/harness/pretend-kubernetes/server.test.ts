import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/lib/time/virtual-clock.ts';
import { kubeletRequest } from '../certificates/certificate-request-pem.ts';
import { until } from '../until.ts';
import type { Reply } from './caller.ts';
import { Caller } from './caller.ts';
import type { Fields } from './objects.ts';
import { at, conditionOf, fieldsAt, isFields, listAt, textAt } from './objects.ts';
import type { KubernetesServer } from './server.ts';
import { startKubernetes } from './server.ts';

const NODES = '/api/v1/nodes';
const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const TOKENS = '/api/v1/namespaces/kube-system/secrets';

let server: KubernetesServer;
let admin: Caller;
const callers: Caller[] = [];

const callerWith = (fields: { token?: string; cert?: string; key?: string }): Caller => {
  const caller = new Caller({ url: server.url, ca: server.ca, ...fields });
  callers.push(caller);
  return caller;
};

const evict = (name: string, apiVersion = 'policy/v1beta1') =>
  admin.ask('POST', `${PODS}/${name}/eviction`, { apiVersion, kind: 'Eviction', metadata: { name } });

const eventsOf = async (path: string) => {
  const events: Fields[] = [];
  for await (const event of admin.watch(path)) events.push(event);
  return events;
};

beforeAll(async () => {
  server = await startKubernetes();
});
beforeEach(() => {
  admin = callerWith({ token: server.adminToken });
});
afterEach(() => {
  server.mend();
  server.requests.length = 0;
  server.showCertificate('own');
  server.settings.termination = 'at once';
  for (const caller of callers.splice(0)) caller.close();
  for (const plural of ['pods', 'nodes', 'poddisruptionbudgets', 'certificatesigningrequests']) {
    for (const { metadata } of server.objects(plural))
      server.remove(plural, metadata.name, metadata.namespace);
  }
});
afterAll(() => server.close());

describe('kubelets', () => {
  test('report their node, and keep what others have put into it', async () => {
    server.kubelet('n1', { address: '127.0.0.9', bootId: 'b1', isControlPlane: true });
    await admin.ask('PATCH', `${NODES}/n1`, {
      spec: { unschedulable: true },
      metadata: { labels: { zone: 'a' } },
    });
    server.reboot('n1', 'b2');
    server.kubelet('n1', { address: '127.0.0.10', bootId: 'b3' });
    const { body } = await admin.ask('GET', `${NODES}/n1`);
    expect(at(body, 'spec', 'unschedulable')).toBe(true);
    expect(at(body, 'status', 'nodeInfo', 'bootID')).toBe('b3');
    expect(at(body, 'metadata', 'labels')).toMatchObject({
      zone: 'a',
      'kubernetes.io/hostname': 'n1',
      'node-role.kubernetes.io/control-plane': '',
      'node-role.kubernetes.io/master': '',
    });
    expect(listAt(body, 'status', 'addresses')).toEqual([
      { type: 'InternalIP', address: '127.0.0.10' },
      { type: 'Hostname', address: 'n1' },
    ]);
  });

  test('see the taint of a cordon come and go, each with another version of the node', async () => {
    server.kubelet('n1', { address: '127.0.0.9' });
    const cordon = (unschedulable: boolean) => admin.ask('PATCH', `${NODES}/n1`, { spec: { unschedulable } });
    const { body } = await cordon(true);
    const node = server.object('nodes', 'n1');
    expect(at(body, 'spec', 'taints')).toBe(undefined);
    expect(listAt(node, 'spec', 'taints')).toMatchObject([
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
    ]);
    expect(node?.metadata.resourceVersion).not.toBe(at(body, 'metadata', 'resourceVersion'));
    await cordon(false);
    expect(server.object('nodes', 'n1')?.['spec']).toEqual({});
  });

  test('that are not heard of let no pod go until they are', async () => {
    server.kubelet('n1', { address: '127.0.0.9' });
    server.pod('stuck', { node: 'n1' });
    server.notReady('n1');
    const node = server.object('nodes', 'n1');
    expect(node && conditionOf(node, 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
    });
    expect((await evict('stuck')).code).toBe(201);
    expect(server.object('pods', 'stuck', 'default')?.metadata.deletionGracePeriodSeconds).toBe(30);
    server.ready('n1');
    expect(server.object('pods', 'stuck', 'default')).toBe(undefined);
  });
});

describe('a pod that is to go', () => {
  test('goes when the test says so', async () => {
    server.settings.termination = 'by test';
    server.pod('p1', { node: 'n1' });
    expect((await evict('p1')).code).toBe(201);
    expect((await admin.ask('GET', `${PODS}/p1`)).code).toBe(200);
    server.finishTermination('p1');
    expect((await admin.ask('GET', `${PODS}/p1`)).code).toBe(404);
  });

  test('goes after its time by the clock of the server', async () => {
    const clock = new VirtualClock();
    const timed = await startKubernetes({ clock, settings: { termination: { afterMs: 5000 } } });
    const caller = new Caller({ url: timed.url, ca: timed.ca, token: timed.adminToken });
    timed.pod('p1', { node: 'n1' });
    await caller.ask('DELETE', `${PODS}/p1`);
    await clock.advance(4999);
    expect(timed.objects('pods')).toHaveLength(1);
    await clock.advance(1);
    expect(timed.objects('pods')).toHaveLength(0);
    caller.close();
    await timed.close();
  });
});

describe('disruption budgets', () => {
  const guard = (spec: Fields) =>
    admin.ask('POST', BUDGETS, {
      metadata: { name: 'guard' },
      spec: { selector: { matchLabels: { app: 'a' } }, ...spec },
    });
  const allowed = () =>
    at(server.object('poddisruptionbudgets', 'guard', 'default'), 'status', 'disruptionsAllowed');

  test.each<[string, Fields, number, number]>([
    ['minAvailable 2 of 3', { minAvailable: 2 }, 3, 1],
    ['minAvailable 3 of 3', { minAvailable: 3 }, 3, 0],
    ['minAvailable 50% of 3', { minAvailable: '50%' }, 3, 1],
    ['maxUnavailable 1 of 3', { maxUnavailable: 1 }, 3, 1],
    ['maxUnavailable 0 of 3', { maxUnavailable: 0 }, 3, 0],
    ['minAvailable 0 of none', { minAvailable: 0 }, 0, 0],
  ])('with %s allow as many disruptions', async (_what, spec, pods, disruptions) => {
    await guard(spec);
    for (let index = 0; index < pods; index += 1) {
      server.pod(`p${index}`, { node: 'n1', labels: { app: 'a' } });
    }
    expect(allowed()).toBe(disruptions);
  });

  test('say what a test has written into them', async () => {
    await guard({ minAvailable: 1 });
    server.pod('p1', { node: 'n1', labels: { app: 'a' } });
    server.change(
      'poddisruptionbudgets',
      'guard',
      budget => {
        budget['status'] = { ...fieldsAt(budget, 'status'), disruptionsAllowed: 1 };
      },
      'default',
    );
    server.pod('p2', { node: 'n1', labels: { app: 'a' }, isReady: false });
    expect(allowed()).toBe(1);
  });

  test('refuse until another pod is ready', async () => {
    await guard({ maxUnavailable: 1 });
    for (const name of ['p1', 'p2']) server.pod(name, { node: 'n1', labels: { app: 'a' } });
    expect((await evict('p1')).code).toBe(201);
    expect((await evict('p2')).code).toBe(429);
    server.pod('p3', { node: 'n2', labels: { app: 'a' } });
    expect((await evict('p2')).code).toBe(201);
  });
});

describe('versions', () => {
  test.each<[`1.${number}`, string, number]>([
    ['1.20', 'policy/v1', 400],
    ['1.20', 'policy/v1beta1', 201],
    ['1.22', 'policy/v1', 201],
    ['1.30', 'policy/v1', 201],
    ['1.30', 'policy/v1beta1', 201],
  ])('%s answers an eviction of %s with %i', async (version, apiVersion, code) => {
    const other = await startKubernetes({ version });
    const caller = new Caller({ url: other.url, ca: other.ca, token: other.adminToken });
    other.pod('p1', { node: 'n1' });
    const eviction = { apiVersion, kind: 'Eviction', metadata: { name: 'p1' } };
    const reply = await caller.ask('POST', `${PODS}/p1/eviction`, eviction);
    const policy = await caller.ask('GET', '/apis/policy/v1');
    const core = await caller.ask('GET', '/api/v1');
    caller.close();
    await other.close();
    expect(reply.code).toBe(code);
    expect(policy.code).toBe(version === '1.20' ? 404 : 200);
    const row = listAt(core.body, 'resources').find(one => textAt(one, 'name') === 'pods/eviction');
    expect(textAt(row, 'version')).toBe(version === '1.20' ? 'v1beta1' : 'v1');
  });
});

describe('callers', () => {
  const reasonOf = async (caller: Caller, ...args: Parameters<Caller['ask']>) => {
    const { code, body } = await caller.ask(...args);
    return [code, textAt(body, 'reason')];
  };

  test('with a token may do what it gives the right to', async () => {
    server.addToken('reader', { user: 'reader', rights: [{ verbs: ['get', 'list'], resources: ['nodes'] }] });
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
    server.revokeToken('reader');
    expect((await reader.ask('GET', NODES)).code).toBe(401);
  });

  test('are refused once their token is over', async () => {
    server.addToken('late', { user: 'late', groups: ['system:masters'], expiresAtMs: Date.now() - 1 });
    expect(await reasonOf(callerWith({ token: 'late' }), 'GET', NODES)).toEqual([401, 'Unauthorized']);
  });

  test('with a certificate have the name and the groups in it', async () => {
    const { cert, key } = server.clientCertificate('somebody', ['system:masters']);
    const caller = callerWith({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') });
    expect((await caller.ask('GET', NODES)).code).toBe(200);
    expect(server.requests.at(-1)).toMatchObject({
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
    expect((await admin.ask('POST', TOKENS, secret)).code).toBe(201);
    const joining = callerWith({ token: 'abcdef.0123456789abcdef' });
    const info = await joining.ask('GET', '/api/v1/namespaces/kube-public/configmaps/cluster-info');
    expect(textAt(info.body, 'data', 'kubeconfig')).toContain(`server: ${server.url}`);
    expect(await reasonOf(joining, 'GET', NODES)).toEqual([403, 'Forbidden']);
    expect(await reasonOf(joining, 'GET', `${TOKENS}/bootstrap-token-abcdef`)).toEqual([403, 'Forbidden']);
    const { body } = await joining.ask('POST', REQUESTS, requestOf('csr-1'));
    expect(fieldsAt(body, 'spec')).toMatchObject({
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', groups, 'system:authenticated'],
    });
    await admin.ask('DELETE', `${TOKENS}/bootstrap-token-abcdef`);
    expect(await reasonOf(joining, 'GET', REQUESTS)).toEqual([401, 'Unauthorized']);
  });

  test.each<[string, Fields]>([
    ['is over', { expiration: '2001-01-01T00:00:00Z' }],
    ['has no time that can be read', { expiration: 'soon' }],
    ['is not for authentication', { 'usage-bootstrap-authentication': 'false' }],
    ['has another secret', { 'token-secret': 'fedcba9876543210' }],
    ['has a group of another kind', { 'auth-extra-groups': 'system:masters' }],
  ])('with a bootstrap token that %s are refused', async (_what, more) => {
    await admin.ask('POST', TOKENS, tokenSecret('abcde1', more));
    const joining = callerWith({ token: 'abcde1.0123456789abcdef' });
    expect(await reasonOf(joining, 'GET', REQUESTS)).toEqual([401, 'Unauthorized']);
    server.remove('secrets', 'bootstrap-token-abcde1', 'kube-system');
  });
});

const requestOf = (name: string): Fields => ({
  metadata: { name },
  spec: {
    request: kubeletRequest(),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
  },
});

describe('a certificate request', () => {
  const approve = (caller: Caller, name: string, conditions: Fields[]) =>
    caller.ask('PATCH', `${REQUESTS}/${name}/approval`, { status: { conditions } });

  test('gets its certificate once it is approved', async () => {
    await admin.ask('POST', REQUESTS, requestOf('csr-1'));
    const approved = await approve(admin, 'csr-1', [{ type: 'Approved', status: 'True', reason: 'Known' }]);
    expect(approved.code).toBe(200);
    const certificate = await until('the certificate', async () => {
      const { body } = await admin.ask('GET', `${REQUESTS}/csr-1`);
      return textAt(body, 'status', 'certificate') || undefined;
    });
    expect(Buffer.from(certificate, 'base64').toString()).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  test('is not approved by who may not for its signer', async () => {
    await admin.ask('POST', REQUESTS, requestOf('csr-1'));
    const resources = ['certificatesigningrequests/approval'];
    server.addToken('half', { user: 'half', rights: [{ verbs: ['*'], resources }] });
    const { body } = await approve(callerWith({ token: 'half' }), 'csr-1', [
      { type: 'Approved', status: 'True' },
    ]);
    expect(body).toMatchObject({
      code: 403,
      message:
        'certificatesigningrequests.certificates.k8s.io "csr-1" is forbidden: user not permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client-kubelet"',
    });
  });
});

describe('what has expired', () => {
  const old = async () => {
    const { body } = await admin.ask('GET', `${NODES}?limit=1`);
    server.kubelet('n9', { address: '127.0.0.9' });
    server.compact();
    return fieldsAt(body, 'metadata');
  };

  test('is a page of a list, which can be gone on with', async () => {
    for (const name of ['n1', 'n2', 'n3']) server.kubelet(name, { address: '127.0.0.9' });
    const { continue: token = '' } = await old();
    const expired = await admin.ask('GET', `${NODES}?limit=1&continue=${token}`);
    expect(expired.body).toMatchObject({ code: 410, reason: 'Expired', status: 'Failure' });
    const onward = textAt(expired.body, 'metadata', 'continue');
    const rest = await admin.ask('GET', `${NODES}?continue=${onward}`);
    expect(listAt(rest.body, 'items').map(item => textAt(item, 'metadata', 'name'))).toEqual([
      'n2',
      'n3',
      'n9',
    ]);
  });

  test('is a watch: it is told in the stream, or by older servers at once', async () => {
    const { resourceVersion } = await old();
    const path = `${NODES}?watch=1&resourceVersion=${resourceVersion}`;
    const [error, ...more] = await eventsOf(path);
    expect(more).toEqual([]);
    expect(error).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
    expect(textAt(error, 'object', 'message')).toMatch(/^too old resource version: \d+ \(\d+\)$/);
    server.settings.expiredWatch = 'http';
    expect((await admin.ask('GET', path)).code).toBe(410);
    server.settings.expiredWatch = 'event';
  });
});

describe('a watch', () => {
  test('begins with all there is, goes on, has bookmarks, and breaks when connections do', async () => {
    server.kubelet('n1', { address: '127.0.0.9' });
    const seen: Fields[] = [];
    const watching = (async () => {
      for await (const event of admin.watch(`${NODES}?watch=true&allowWatchBookmarks=true`)) seen.push(event);
    })();
    await until('the first event', () => seen.length === 1);
    server.notReady('n1', 'False');
    server.bookmark();
    await until('the bookmark', () => seen.length === 3);
    expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'BOOKMARK']);
    expect(Object.keys(fieldsAt(seen[2], 'object', 'metadata'))).toContain('resourceVersion');
    server.dropConnections();
    await expect(watching).rejects.toThrow();
  });
});

describe('what goes wrong', () => {
  const failureOf = (asked: Promise<Reply>) =>
    asked.then(
      reply => reply,
      (error: NodeJS.ErrnoException) => error.code,
    );

  test.each([
    [
      'other authority',
      /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/,
    ],
    ['other name', /ERR_TLS_CERT_ALTNAME_INVALID/],
  ] as const)('is the certificate: of %s', async (shown, code) => {
    server.showCertificate(shown);
    expect(await failureOf(admin.ask('GET', '/readyz'))).toMatch(code);
  });

  test('is a connection that breaks, once', async () => {
    server.fault({ match: { path: '/readyz' }, times: 1, do: 'reset' });
    expect(await failureOf(admin.ask('GET', '/readyz'))).toBe('ECONNRESET');
    expect((await admin.ask('GET', '/readyz')).code).toBe(200);
  });

  test('is an answer that is not right', async () => {
    server.fault({ match: { method: 'GET', path: /^\/api\/v1\/nodes$/ }, times: 1, do: 'garbage' });
    expect((await admin.ask('GET', NODES)).text).toBe('<html>not from the API at all');
    const body = { kind: 'Status', code: 503 };
    const mend = server.fault({ match: ({ path }) => path === NODES, do: { status: 503, body } });
    expect(await admin.ask('GET', NODES)).toMatchObject({ code: 503, body });
    mend();
    expect((await admin.ask('GET', NODES)).code).toBe(200);
  });

  test.each(['hang', 'slow bytes'] as const)('is an answer without end: %s', async kind => {
    server.fault({ match: { path: '/readyz' }, do: kind });
    const asked = failureOf(admin.ask('GET', '/readyz'));
    await until('the request', () => server.requests.at(-1)?.path === '/readyz');
    server.dropConnections();
    expect(await asked).toBe('ECONNRESET');
  });

  test('is an answer that is cut off', async () => {
    server.fault({ match: { path: '/readyz' }, do: 'cut off' });
    expect(await failureOf(admin.ask('GET', '/readyz'))).toBe('ECONNRESET');
  });

  test('is somebody who is faster', async () => {
    server.kubelet('n1', { address: '127.0.0.9' });
    const { body } = await admin.ask('GET', `${NODES}/n1`);
    server.before({ method: 'PATCH', path: `${NODES}/n1` }, () => {
      server.change('nodes', 'n1', node => {
        node['spec'] = { unschedulable: true };
      });
    });
    const resourceVersion = textAt(body, 'metadata', 'resourceVersion');
    const patch = { metadata: { resourceVersion, annotations: { 'example.com/mark': 'ours' } } };
    expect((await admin.ask('PATCH', `${NODES}/n1`, patch)).code).toBe(409);
    expect(server.requests.slice(-2).map(({ method, status }) => [method, status])).toEqual([
      ['GET', 200],
      ['PATCH', 409],
    ]);
    expect(isFields(server.requests.at(-1)?.body)).toBe(true);
  });
});
