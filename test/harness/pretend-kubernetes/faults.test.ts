import { describe, expect, test } from 'vitest';
import { until } from '../until.ts';
import type { Reply } from './caller.ts';
import { isFields, textAt } from './objects.ts';
import { NODES, serverLab } from './server-lab.ts';

const { server, admin } = serverLab();

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
    server().showCertificate(shown);
    expect(await failureOf(admin().ask('GET', '/readyz'))).toMatch(code);
  });

  test('is a connection that breaks, once', async () => {
    server().fault({ match: { path: '/readyz' }, times: 1, do: 'reset' });
    expect(await failureOf(admin().ask('GET', '/readyz'))).toBe('ECONNRESET');
    expect((await admin().ask('GET', '/readyz')).code).toBe(200);
  });

  test('is an answer that is not right', async () => {
    server().fault({ match: { method: 'GET', path: /^\/api\/v1\/nodes$/ }, times: 1, do: 'garbage' });
    expect((await admin().ask('GET', NODES)).text).toBe('<html>not from the API at all');
    const body = { kind: 'Status', code: 503 };
    const mend = server().fault({ match: ({ path }) => path === NODES, do: { status: 503, body } });
    expect(await admin().ask('GET', NODES)).toMatchObject({ code: 503, body });
    mend();
    expect((await admin().ask('GET', NODES)).code).toBe(200);
  });

  test.each(['hang', 'slow bytes'] as const)('is an answer without end: %s', async kind => {
    server().fault({ match: { path: '/readyz' }, do: kind });
    const asked = failureOf(admin().ask('GET', '/readyz'));
    await until('the request', () => server().requests.at(-1)?.path === '/readyz');
    server().dropConnections();
    expect(await asked).toBe('ECONNRESET');
  });

  test('is an answer that is cut off', async () => {
    server().fault({ match: { path: '/readyz' }, do: 'cut off' });
    expect(await failureOf(admin().ask('GET', '/readyz'))).toBe('ECONNRESET');
  });

  test('is somebody who is faster', async () => {
    server().kubelet('n1', { address: '127.0.0.9' });
    const { body } = await admin().ask('GET', `${NODES}/n1`);
    server().before({ method: 'PATCH', path: `${NODES}/n1` }, () => {
      server().change('nodes', 'n1', node => {
        node['spec'] = { unschedulable: true };
      });
    });
    const resourceVersion = textAt(body, 'metadata', 'resourceVersion');
    const patch = { metadata: { resourceVersion, annotations: { 'example.com/mark': 'ours' } } };
    expect((await admin().ask('PATCH', `${NODES}/n1`, patch)).code).toBe(409);
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
