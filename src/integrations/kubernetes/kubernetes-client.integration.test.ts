import { createServer } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { kubeletRequest } from '../../../test/harness/certificates/certificate-request.ts';
import { kubernetesFixture } from '../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import { startKubernetes } from '../../../test/harness/fake-kubernetes/server.ts';
import { listen } from '../../../test/harness/http/sockets.ts';
import { Secret } from '../../domain/secret.ts';

const fixture = kubernetesFixture();
const NODES = '/api/v1/nodes';

describe('KubernetesClient authentication', () => {
  test('accepts a token or a client certificate', async () => {
    expect((await fixture().createClient().nodes.list()).items).toEqual([]);
    const { server } = fixture();
    const { cert, key } = server.clientCertificate('hostler', ['system:masters']);
    const files = { caPath: server.caPath, certificatePath: cert, certificateKeyPath: key };
    expect((await fixture().createClient({ token: undefined, files }).nodes.list()).items).toEqual([]);
    expect(server.requests.map(({ user }) => user)).toEqual(['admin', 'hostler']);
  });

  test('reports an expired token and the option that sets it', async () => {
    const token = new Secret('expired-token');
    const expiresAtMs = Date.now() - 1;
    fixture().server.addToken(token.reveal(), { user: 'late', groups: ['system:masters'], expiresAtMs });
    const message = `${fixture().server.url} rejected the token (401): it is wrong or has expired; set a new one in \`token\``;
    await expect(fixture().createClient({ token }).nodes.list()).rejects.toThrow(message);
    await expect(fixture().createClient({ token, tokenOption: 'token_path' }).version()).rejects.toThrow(
      '`token_path`',
    );
  });

  test('reports a rejected client certificate', async () => {
    const { server } = fixture();
    const { cert, key } = server.clientCertificate('hostler');
    server.addFault({ match: {}, do: { status: 401, body: {} } });
    const files = { caPath: server.caPath, certificatePath: cert, certificateKeyPath: key };
    await expect(fixture().createClient({ token: undefined, files }).nodes.list()).rejects.toThrow(
      /rejected the client certificate \(401\).*`certificate_path`/,
    );
    await expect(fixture().createClient({ token: undefined }).nodes.list()).rejects.toThrow(/set a token in `token`/);
  });

  test('does not quote a server without TLS, which can be any HTTP server', async () => {
    const other = createServer((_request, response) => {
      response.statusCode = 500;
      response.end(JSON.stringify({ message: 'a secret of another server' }));
    });
    const url = `http://127.0.0.1:${await listen(other)}`;
    const request = fixture().createClient({ url, token: undefined, files: {} }).nodes.list();
    await expect(request).rejects.toMatchObject({ message: `${url} failed to list nodes (500)` });
    other.close();
  });

  test('reports a missing permission', async () => {
    fixture().server.addToken('nobody', { user: 'nobody' });
    const api = fixture().createClient({ token: new Secret('nobody') });
    await expect(api.nodes.list()).rejects.toThrow(
      `${fixture().server.url} denied permission to list nodes (403): nodes is forbidden: User "nobody" cannot list`,
    );
    expect(await api.hasPermission({ verb: 'list', resource: 'nodes' })).toBe(false);
    expect(await fixture().createClient().hasPermission({ verb: 'list', resource: 'nodes' })).toBe(true);
  });

  test('does not send a token over plain HTTP', async () => {
    const url = fixture().server.url.replace('https', 'http');
    await expect(fixture().createClient({ url }).version()).rejects.toThrow(/unencrypted; use an https URL/);
    expect(fixture().requestLines()).toEqual([]);
  });

  test('sends nothing after mayProceed returns false', async () => {
    await expect(
      fixture()
        .createClient({ mayProceed: () => false })
        .version(),
    ).rejects.toThrow('aborted');
    expect(fixture().requestLines()).toEqual([]);
  });
});

describe('API server', () => {
  test.each([
    ['other authority', /CERT_SIGNATURE|authority/],
    ['other name', /the certificate is for another host name/],
  ] as const)('is rejected if its certificate is of an%s', async (shown, message) => {
    fixture().server.presentCertificate(shown);
    const failure = await fixture()
      .createClient()
      .version()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'untrusted', message: expect.stringMatching(message) });
    expect(fixture().requestLines()).toEqual([]);
  });

  test('is rejected with a hint to set ca_path if ca_path is missing', async () => {
    await expect(fixture().createClient({ files: {} }).version()).rejects.toThrow(/set ca_path/);
  });

  test.each(['hang_response', 'endless_response'] as const)(
    'is reported after a timeout if it does not respond: %s',
    async fault => {
      fixture().server.addFault({ match: {}, do: fault });
      await expect(fixture().createClient({ timeoutMs: 100 }).version()).rejects.toThrow(/did not respond in time/);
    },
  );

  test.each([
    ['garble_response', /cannot parse/],
    ['truncate_response', /the connection was closed|does not respond/],
    [{ status: 500, body: { message: 'etcd\u001b[31m is\naway' } }, /failed to list nodes \(500\): etcd\[31m is away$/],
    [{ status: 429, body: 'too many' }, /failed to list nodes \(429\)$/],
    [{ status: 302, body: '' }, /\(302\)$/],
  ] as const)('is reported if it responds with %j', async (fault, message) => {
    fixture().server.addFault({ match: { path: NODES }, do: fault });
    await expect(fixture().createClient().nodes.list()).rejects.toThrow(message);
  });
});

describe('nodes.list', () => {
  beforeEach(() => {
    for (let number = 0; number < 501; number += 1)
      fixture().server.kubelet(`node-${number}`, { address: `127.1.${number >> 8}.${number & 255}` });
  });
  const pages = () => fixture().server.requests.map(({ query, status }) => [Boolean(query['continue']), status]);

  test('reads pages of 500', async () => {
    expect((await fixture().createClient().nodes.list()).items).toHaveLength(501);
    expect(fixture().server.requests.map(({ query }) => query['limit'])).toEqual(['500', '500']);
  });

  test('starts over when the continue token expires', async () => {
    fixture().server.before(
      ({ query }) => query['continue'] !== undefined,
      () => {
        fixture().server.kubelet('node-0', { address: '127.2.0.1' });
        fixture().server.compact();
      },
    );
    const { items } = await fixture().createClient().nodes.list();
    expect(new Set(items.map(({ name }) => name)).size).toBe(501);
    expect(items).toHaveLength(501);
    expect(pages()).toEqual([
      [false, 200],
      [true, 410],
      [false, 200],
      [true, 200],
    ]);
  });

  test('fails when the continue token expires repeatedly', async () => {
    const body = { kind: 'Status', code: 410, reason: 'Expired' };
    fixture().server.addFault({
      match: ({ query }) => query['continue'] !== undefined,
      do: { status: 410, body },
    });
    await expect(fixture().createClient().nodes.list()).rejects.toThrow(/the list expired/);
    expect(pages()).toHaveLength(6);
  });
});

describe('pods.evict', () => {
  test.each([
    ['1.20', [400, 201, 201]],
    ['1.30', [201, 201]],
  ] as const)('uses the API version of Kubernetes %s', async (version, statuses) => {
    const other = await startKubernetes({ version });
    for (const name of ['one', 'two']) other.pod(name, { node: 'n' });
    const api = fixture().createClient({ url: other.url, token: new Secret(other.adminToken) });
    const pods = await api.pods.listOnNode('n');
    for (const pod of pods) expect(await api.pods.evict(pod)).toEqual({ state: 'accepted' });
    expect(other.requests.filter(({ method }) => method === 'POST').map(({ status }) => status)).toEqual(statuses);
    await other.close();
  });

  test.each([
    [
      { status: 429, body: { message: 'slowly', details: { retryAfterSeconds: 10 } } },
      { state: 'blocked', detail: 'slowly', retryAfterS: 10 },
    ],
    [{ status: 404, body: { details: { name: 'web' } } }, { state: 'gone' }],
    [
      { status: 404, body: { message: 'no such path' } },
      { state: 'failed', detail: 'no such path' },
    ],
    [
      { status: 500, body: '' },
      { state: 'failed', detail: 'no reason given' },
    ],
    [
      { status: 422, body: { message: 'Invalid' } },
      { state: 'failed', detail: 'Invalid' },
    ],
  ] as const)('maps the response %j', async (fault, eviction) => {
    fixture().server.pod('web', { node: 'n' });
    const [pod] = await fixture().createClient().pods.listOnNode('n');
    fixture().server.addFault({ match: { path: /eviction$/ }, do: fault });
    expect(pod && (await fixture().createClient().pods.evict(pod))).toEqual(eviction);
  });
});

describe('certificateRequests', () => {
  const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const SIGNER = 'kubernetes.io/kubelet-serving';
  const make = (name: string, signerName = SIGNER) =>
    fixture().create(PATH, {
      metadata: { name },
      spec: {
        request: kubeletRequest(),
        signerName,
        usages: ['digital signature', 'server auth'],
      },
    });

  test('lists requests by signer and approves each once', async () => {
    await make('mine');
    await make('other', 'example.com/other');
    const { certificateRequests } = fixture().createClient();
    expect(await certificateRequests.list()).toHaveLength(2);
    const [request] = await certificateRequests.list(SIGNER);
    if (request === undefined) throw new Error('the request is missing');
    expect(request).toMatchObject({
      name: 'mine',
      signerName: SIGNER,
      username: 'admin',
      usages: ['digital signature', 'server auth'],
      pem: expect.stringContaining('BEGIN CERTIFICATE REQUEST'),
      isPending: true,
    });
    fixture().server.before({ method: 'PUT' }, () => {
      fixture().server.change('certificatesigningrequests', 'mine', object => {
        object.metadata.labels = { changed: 'meanwhile' };
      });
    });
    expect(await certificateRequests.approve(request, 'it is ours')).toBe('conflict');
    expect(await certificateRequests.approve(request, 'it is ours')).toBe('approved');
    expect(await certificateRequests.approve(request, 'it is ours')).toBe('decided');
    expect(await certificateRequests.approve({ ...request, uid: 'another' }, '')).toBe('gone');
    expect(await certificateRequests.approve({ ...request, name: 'none' }, '')).toBe('gone');
    expect((await certificateRequests.list(SIGNER))[0]).toMatchObject({ isPending: false });
  });
});
