import { describe, expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import type { Reply } from './api-client.ts';
import { NODES, serverFixture } from './kubernetes-fixtures.ts';
import { isFields, textAt } from './objects.ts';

const { server, admin } = serverFixture();

describe('faults of the fake Kubernetes API', () => {
  const getFailure = (request: Promise<Reply>) =>
    request.then(
      reply => reply,
      (error: NodeJS.ErrnoException) => error.code,
    );

  test.each([
    ['other authority', /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/],
    ['other name', /ERR_TLS_CERT_ALTNAME_INVALID/],
  ] as const)('clients reject a certificate of an%s', async (shown, code) => {
    server().presentCertificate(shown);
    expect(await getFailure(admin().request('GET', '/readyz'))).toMatch(code);
  });

  test('a cut response breaks one connection', async () => {
    server().addFault({ match: { path: '/readyz' }, times: 1, do: 'cut_response' });
    expect(await getFailure(admin().request('GET', '/readyz'))).toBe('ECONNRESET');
    expect((await admin().request('GET', '/readyz')).code).toBe(200);
  });

  test('garbled and error responses replace the response until they are cleared', async () => {
    server().addFault({ match: { method: 'GET', path: /^\/api\/v1\/nodes$/ }, times: 1, do: 'garble_response' });
    expect((await admin().request('GET', NODES)).text).toBe('<html>not from the API at all');
    const body = { kind: 'Status', code: 503 };
    const clearFault = server().addFault({ match: ({ path }) => path === NODES, do: { status: 503, body } });
    expect(await admin().request('GET', NODES)).toMatchObject({ code: 503, body });
    clearFault();
    expect((await admin().request('GET', NODES)).code).toBe(200);
  });

  test.each(['hang_response', 'endless_response'] as const)('a response does not end: %s', async kind => {
    server().addFault({ match: { path: '/readyz' }, do: kind });
    const request = getFailure(admin().request('GET', '/readyz'));
    await waitUntil('the request is received', () => server().requests.at(-1)?.path === '/readyz');
    server().dropConnections();
    expect(await request).toBe('ECONNRESET');
  });

  test('a truncated response breaks the connection', async () => {
    server().addFault({ match: { path: '/readyz' }, do: 'truncate_response' });
    expect(await getFailure(admin().request('GET', '/readyz'))).toBe('ECONNRESET');
  });

  test('a concurrent update causes 409', async () => {
    server().kubelet('n1', { address: '127.0.0.9' });
    const { body } = await admin().request('GET', `${NODES}/n1`);
    server().before({ method: 'PATCH', path: `${NODES}/n1` }, () => {
      server().change('nodes', 'n1', node => {
        node['spec'] = { unschedulable: true };
      });
    });
    const resourceVersion = textAt(body, 'metadata', 'resourceVersion');
    const patch = { metadata: { resourceVersion, annotations: { 'example.com/mark': 'ours' } } };
    expect((await admin().request('PATCH', `${NODES}/n1`, patch)).code).toBe(409);
    expect(
      server()
        .requests.slice(-2)
        .map(({ method, status }) => [method, status]),
    ).toEqual([
      ['GET', 200],
      ['PATCH', 409],
    ]);
    expect(isFields(server().requests.at(-1)?.body)).toBe(true);
  });
});
