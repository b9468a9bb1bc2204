import { createServer } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { kubeletRequest } from '../../../test/harness/certificates/certificate-request-pem.ts';
import { listen } from '../../../test/harness/listen.ts';
import { kubeLab } from '../../../test/harness/pretend-kubernetes/kube-lab.ts';
import { startKubernetes } from '../../../test/harness/pretend-kubernetes/server.ts';
import { Secret } from '../../domain/secret.ts';

const lab = kubeLab();
const NODES = '/api/v1/nodes';

describe('whoever asks the API', () => {
  test('is let in by a token or by a client certificate', async () => {
    expect((await lab().api().nodes.list()).items).toEqual([]);
    const { server } = lab();
    const { cert, key } = server.clientCertificate('hostler', ['system:masters']);
    const files = { caPath: server.caPath, certificatePath: cert, certificateKeyPath: key };
    expect((await lab().api({ token: undefined, files }).nodes.list()).items).toEqual([]);
    expect(server.requests.map(({ user }) => user)).toEqual(['admin', 'hostler']);
  });

  test('is told that a token has expired, and where to give a new one', async () => {
    const token = new Secret('was-good-once');
    const expiresAtMs = Date.now() - 1;
    lab().server.addToken(token.reveal(), { user: 'late', groups: ['system:masters'], expiresAtMs });
    const why = `${lab().server.url} rejected the token (401): it is wrong or has expired; set a new one in \`token\``;
    await expect(lab().api({ token }).nodes.list()).rejects.toThrow(why);
    await expect(lab().api({ token, tokenOption: 'token_path' }).version()).rejects.toThrow('`token_path`');
  });

  test('is told that a client certificate is refused', async () => {
    const { server } = lab();
    const { cert, key } = server.clientCertificate('hostler');
    server.fault({ match: {}, do: { status: 401, body: {} } });
    const files = { caPath: server.caPath, certificatePath: cert, certificateKeyPath: key };
    await expect(lab().api({ token: undefined, files }).nodes.list()).rejects.toThrow(
      /rejected the client certificate \(401\).*`certificate_path`/,
    );
    await expect(lab().api({ token: undefined }).nodes.list()).rejects.toThrow(/set a token in `token`/);
  });

  test('gets no text of a server without TLS, which may be any HTTP server', async () => {
    const other = createServer((_request, response) => {
      response.statusCode = 500;
      response.end(JSON.stringify({ message: 'a secret of another server' }));
    });
    const url = `http://127.0.0.1:${await listen(other)}`;
    const asked = lab().api({ url, token: undefined, files: {} }).nodes.list();
    await expect(asked).rejects.toMatchObject({ message: `${url} failed to list nodes (500)` });
    other.close();
  });

  test('is told what is not allowed', async () => {
    lab().server.addToken('nobody', { user: 'nobody' });
    const api = lab().api({ token: new Secret('nobody') });
    await expect(api.nodes.list()).rejects.toThrow(
      `${lab().server.url} denied permission to list nodes (403): nodes is forbidden: User "nobody" cannot list`,
    );
    expect(await api.hasPermission({ verb: 'list', resource: 'nodes' })).toBe(false);
    expect(await lab().api().hasPermission({ verb: 'list', resource: 'nodes' })).toBe(true);
  });

  test('sends no token in clear', async () => {
    const url = lab().server.url.replace('https', 'http');
    await expect(lab().api({ url }).version()).rejects.toThrow(/unencrypted; use an https URL/);
    expect(lab().asked()).toEqual([]);
  });

  test('sends nothing once that is called off', async () => {
    await expect(
      lab()
        .api({ mayProceed: () => false })
        .version(),
    ).rejects.toThrow('aborted');
    expect(lab().asked()).toEqual([]);
  });
});

describe('a server of the API', () => {
  test.each([
    ['other authority', /CERT_SIGNATURE|authority/],
    ['other name', /the certificate is for another host name/],
  ] as const)('is not spoken to when its certificate is of an%s', async (shown, why) => {
    lab().server.showCertificate(shown);
    const failure = await lab()
      .api()
      .version()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'untrusted', message: expect.stringMatching(why) });
    expect(lab().asked()).toEqual([]);
  });

  test('is not trusted by the system, so that ca_path is asked for', async () => {
    await expect(lab().api({ files: {} }).version()).rejects.toThrow(/set ca_path/);
  });

  test.each(['hang', 'slow bytes'] as const)('is not waited for when it does: %s', async fault => {
    lab().server.fault({ match: {}, do: fault });
    await expect(lab().api({ timeoutMs: 100 }).version()).rejects.toThrow(/did not respond in time/);
  });

  test.each([
    ['garbage', /cannot parse/],
    ['cut off', /the connection was closed|does not respond/],
    [
      { status: 500, body: { message: 'etcd\u001b[31m is\naway' } },
      /failed to list nodes \(500\): etcd\[31m is away$/,
    ],
    [{ status: 429, body: 'too many' }, /failed to list nodes \(429\)$/],
    [{ status: 302, body: '' }, /\(302\)$/],
  ] as const)('is told about in words when it answers %j', async (fault, why) => {
    lab().server.fault({ match: { path: NODES }, do: fault });
    await expect(lab().api().nodes.list()).rejects.toThrow(why);
  });
});

describe('a list of nodes', () => {
  beforeEach(() => {
    for (let number = 0; number < 501; number += 1)
      lab().server.kubelet(`node-${number}`, { address: `127.1.${number >> 8}.${number & 255}` });
  });
  const pages = () => lab().server.requests.map(({ query, status }) => [Boolean(query['continue']), status]);

  test('is read in pages', async () => {
    expect((await lab().api().nodes.list()).items).toHaveLength(501);
    expect(lab().server.requests.map(({ query }) => query['limit'])).toEqual(['500', '500']);
  });

  test('begins anew when the server has forgotten where it was', async () => {
    lab().server.before(
      ({ query }) => query['continue'] !== undefined,
      () => {
        lab().server.kubelet('node-0', { address: '127.2.0.1' });
        lab().server.compact();
      },
    );
    const { items } = await lab().api().nodes.list();
    expect(new Set(items.map(({ name }) => name)).size).toBe(501);
    expect(items).toHaveLength(501);
    expect(pages()).toEqual([
      [false, 200],
      [true, 410],
      [false, 200],
      [true, 200],
    ]);
  });

  test('is given up when the server forgets it again and again', async () => {
    const body = { kind: 'Status', code: 410, reason: 'Expired' };
    lab().server.fault({ match: ({ query }) => query['continue'] !== undefined, do: { status: 410, body } });
    await expect(lab().api().nodes.list()).rejects.toThrow(/the list expired/);
    expect(pages()).toHaveLength(6);
  });
});

describe('an eviction', () => {
  test.each([
    ['1.20', [400, 201, 201]],
    ['1.30', [201, 201]],
  ] as const)('is asked for in the words of %s', async (version, statuses) => {
    const other = await startKubernetes({ version });
    for (const name of ['one', 'two']) other.pod(name, { node: 'n' });
    const api = lab().api({ url: other.url, token: new Secret(other.adminToken) });
    const pods = await api.pods.listOnNode('n');
    for (const pod of pods) expect(await api.pods.evict(pod)).toEqual({ state: 'accepted' });
    expect(other.requests.filter(({ method }) => method === 'POST').map(({ status }) => status)).toEqual(
      statuses,
    );
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
  ] as const)('that is answered %j', async (fault, eviction) => {
    lab().server.pod('web', { node: 'n' });
    const [pod] = await lab().api().pods.listOnNode('n');
    lab().server.fault({ match: { path: /eviction$/ }, do: fault });
    expect(pod && (await lab().api().pods.evict(pod))).toEqual(eviction);
  });
});

describe('certificate requests', () => {
  const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const SIGNER = 'kubernetes.io/kubelet-serving';
  const make = (name: string, signerName = SIGNER) =>
    lab().make(PATH, {
      metadata: { name },
      spec: {
        request: kubeletRequest(),
        signerName,
        usages: ['digital signature', 'server auth'],
      },
    });

  test('are listed by their signer, and approved once', async () => {
    await make('mine');
    await make('other', 'example.com/other');
    const { certificateRequests } = lab().api();
    expect(await certificateRequests.list()).toHaveLength(2);
    const [request] = await certificateRequests.list(SIGNER);
    if (request === undefined) throw new Error('it was made');
    expect(request).toMatchObject({
      name: 'mine',
      signerName: SIGNER,
      username: 'admin',
      usages: ['digital signature', 'server auth'],
      pem: expect.stringContaining('BEGIN CERTIFICATE REQUEST'),
      isPending: true,
    });
    lab().server.before({ method: 'PUT' }, () => {
      lab().server.change('certificatesigningrequests', 'mine', object => {
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
