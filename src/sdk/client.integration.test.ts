import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../test/harness/http/sockets.ts';
import type { Credentials } from './client.ts';
import { createClient, createRequestSender } from './client.ts';
import { isRetryable, ServiceUnreachableError } from './errors.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

const account = { user: 'u', password: 'p' };
const respondWithClusters: RequestListener = (_request, response) => void response.end('["web"]');

test.each<[string, RequestListener]>([
  ['does not respond', () => {}],
  ['responds with 503', (_request, response) => void response.writeHead(503).end('{}')],
  [
    'responds with an invalid problem document',
    (_request, response) => void response.writeHead(500, { 'content-type': 'application/problem+json' }).end('{x'),
  ],
  ['closes the connection', (_request, response) => void response.destroy()],
  [
    'closes the connection during the response',
    (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('["w', () => response.destroy());
    },
  ],
])('the client uses the next server if one %s', async (_name, listener) => {
  const client = createClient({
    baseUrl: await serve(listener),
    fallbackUrls: [await serve(respondWithClusters)],
    ...account,
  });
  expect((await client.listClusters({ timeoutMs: 200 })).body).toEqual(['web']);
});

test.each(['//127.0.0.1:1/x', '/\\\\127.0.0.1:1/x', 'http://127.0.0.1:1/x'])(
  'the client sends no credentials to another server for the path %s',
  async path => {
    const send = createRequestSender({ baseUrl: await serve(respondWithClusters), ...account });
    expect((await send({ method: 'GET', path: '/x' })).text).toBe('["web"]');
    await expect(send({ method: 'GET', path })).rejects.toThrow('is not a path on the server');
  },
);

test.each(['request', 'client'] as const)(
  'an abort of the %s throws its reason and tries no other server',
  async of => {
    const controller = new AbortController();
    const reason = new Error('not needed any more');
    const requests: unknown[] = [];
    const client = createClient({
      baseUrl: await serve(() => controller.abort(reason)),
      fallbackUrls: [await serve(({ url }) => void requests.push(url))],
      ...account,
      ...(of === 'client' && { signal: controller.signal }),
    });
    const call = client.listClusters(of === 'request' ? { signal: controller.signal } : {});
    const error = await call.catch((thrown: unknown) => thrown);
    expect([error, isRetryable(error)]).toEqual([reason, false]);
    await expect(client.listClusters({ signal: controller.signal })).rejects.toBe(reason);
    expect(requests).toEqual([]);
  },
);

test('a request that has timed out on all servers throws an error with the timeout', async () => {
  const baseUrl = await serve(() => {});
  const fallbackUrl = await serve((_request, response) => void response.writeHead(200).write('['));
  const client = createClient({ baseUrl, fallbackUrls: [fallbackUrl], ...account });
  const error = await client.listClusters({ timeoutMs: 50 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceUnreachableError);
  expect(error).toMatchObject({
    message: `cannot reach ${baseUrl} and ${fallbackUrl}: no response within 0.05 s`,
    urls: [baseUrl, fallbackUrl],
  });
});

test.each<[string, Credentials, object]>([
  ['an account', { user: 'jürgen', password: 'pä€ß' }, { authorization: 'Basic asO8cmdlbjpww6TigqzDnw==' }],
  ['headers', { headers: { 'hostler-dashboard': '1' } }, { 'hostler-dashboard': '1' }],
])('a request with %s sends only these credentials', async (_name, credentials, expected) => {
  const baseUrl = await serve(({ headers }, response) => {
    const { authorization, 'hostler-dashboard': dashboard } = headers;
    response.end(JSON.stringify({ authorization, 'hostler-dashboard': dashboard }));
  });
  expect((await createClient({ baseUrl, ...credentials }).listClusters()).body).toEqual(expected);
});
