import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../test/harness/http/sockets.ts';
import { nodeTransport } from './node-transport.ts';

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${await listen(server)}/path?query=1`);
}

test('nodeTransport() sends a complete request and returns the same response as fetch', async () => {
  const url = await serve(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { authorization, 'content-length': length } = request.headers;
    response.writeHead(201, 'Made', { 'content-type': 'text/plain', link: ['<a>', '<b>'] });
    response.end(`${request.method} ${request.url} ${authorization} ${length} ${body}`);
  });
  const request = { method: 'PUT', headers: { authorization: 'Basic x' }, body: '"ü"' };
  const [actual, expected] = await Promise.all([nodeTransport(url, request), fetch(url, request)]);
  for (const response of [actual, expected]) {
    expect(response).toMatchObject({ status: 201, statusText: 'Made', ok: true });
    expect(await response.text()).toBe('PUT /path?query=1 Basic x 4 "ü"');
    expect(['Content-Type', 'link', 'etag'].map(name => response.headers.get(name))).toEqual([
      'text/plain',
      '<a>, <b>',
      null,
    ]);
  }
});

test('nodeTransport() does not follow a redirect', async () => {
  const url = await serve((_request, response) => response.writeHead(302, { location: '/else' }).end());
  expect(await nodeTransport(url, { method: 'GET', headers: {} })).toMatchObject({ ok: false, status: 302 });
});

test('nodeTransport() repeats a request if the server has closed a keep-alive connection', async () => {
  const paths: string[] = [];
  const url = await serve(({ socket, url: path = '' }, response) => {
    paths.push(path);
    if (path === '/kept' && paths.length === 2) socket.destroy();
    else response.end('here');
  });
  const get = async (path: string) => (await nodeTransport(new URL(path, url), { method: 'GET', headers: {} })).text();
  expect(await get('/first')).toBe('here');
  expect(await get('/kept')).toBe('here');
  expect(paths).toEqual(['/first', '/kept', '/kept']);
});

test('nodeTransport() throws if a new connection breaks', async () => {
  const url = await serve(({ socket }) => void socket.destroy());
  await expect(nodeTransport(url, { method: 'GET', headers: {} })).rejects.toThrow(/socket hang up/);
});
