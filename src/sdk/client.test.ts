import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../test/harness/listen.ts';
import type { Credentials } from './client.ts';
import { createClient } from './client.ts';

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
  ['says nothing', () => {}],
  ['cannot', (_request, response) => void response.writeHead(503).end('{}')],
  [
    'says something that nobody understands',
    (_request, response) =>
      void response.writeHead(500, { 'content-type': 'application/problem+json' }).end('{x'),
  ],
  ['hangs up', (_request, response) => void response.destroy()],
  [
    'hangs up in the middle of its answer',
    (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('["w', () => response.destroy());
    },
  ],
])('the next server is asked when one %s', async (_name, listener) => {
  const client = createClient({
    baseUrl: await serve(listener),
    fallbackUrls: [await serve(respondWithClusters)],
    ...account,
  });
  expect((await client.listClusters({ timeoutMs: 200 })).body).toEqual(['web']);
});

test('a call is ended by its signal', async () => {
  const client = createClient({ baseUrl: await serve(() => {}), ...account });
  const controller = new AbortController();
  const call = client.listClusters({ signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: 'ServiceUnreachableError' });
});

test.each<[string, Credentials, object]>([
  ['an account', { user: 'jürgen', password: 'pä€ß' }, { authorization: 'Basic asO8cmdlbjpww6TigqzDnw==' }],
  ['headers', { headers: { 'hostler-dashboard': '1' } }, { 'hostler-dashboard': '1' }],
])('who asks is told by %s, and by nothing else', async (_name, credentials, expected) => {
  const baseUrl = await serve(({ headers }, response) => {
    const { authorization, 'hostler-dashboard': dashboard } = headers;
    response.end(JSON.stringify({ authorization, 'hostler-dashboard': dashboard }));
  });
  expect((await createClient({ baseUrl, ...credentials }).listClusters()).body).toEqual(expected);
});
