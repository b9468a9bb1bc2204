import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../test/harness/listen.ts';
import { nodeTransport } from './node-transport.ts';

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${await listen(server)}/path?query=1`);
}

test('sends a request whole, and answers as fetch does', async () => {
  const url = await serve(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { authorization, 'content-length': length } = request.headers;
    response.writeHead(201, 'Made', { 'content-type': 'text/plain', link: ['<a>', '<b>'] });
    response.end(`${request.method} ${request.url} ${authorization} ${length} ${body}`);
  });
  const request = { method: 'PUT', headers: { authorization: 'Basic x' }, body: '"ü"' };
  const [ours, theirs] = await Promise.all([nodeTransport(url, request), fetch(url, request)]);
  for (const response of [ours, theirs]) {
    expect(response).toMatchObject({ status: 201, statusText: 'Made', ok: true });
    expect(await response.text()).toBe('PUT /path?query=1 Basic x 4 "ü"');
    expect(['Content-Type', 'link', 'etag'].map(name => response.headers.get(name))).toEqual([
      'text/plain',
      '<a>, <b>',
      null,
    ]);
  }
});

test('takes no redirect for an answer', async () => {
  const url = await serve((_request, response) => response.writeHead(302, { location: '/else' }).end());
  expect(await nodeTransport(url, { method: 'GET', headers: {} })).toMatchObject({ ok: false, status: 302 });
});

test('sends it again when the connection was kept for too long', async () => {
  const seen: string[] = [];
  const url = await serve(({ socket, url: path = '' }, response) => {
    seen.push(path);
    if (path === '/kept' && seen.length === 2) socket.destroy();
    else response.end('here');
  });
  const get = async (path: string) =>
    (await nodeTransport(new URL(path, url), { method: 'GET', headers: {} })).text();
  expect(await get('/first')).toBe('here');
  expect(await get('/kept')).toBe('here');
  expect(seen).toEqual(['/first', '/kept', '/kept']);
});

test('tells what broke on a new connection', async () => {
  const url = await serve(({ socket }) => void socket.destroy());
  await expect(nodeTransport(url, { method: 'GET', headers: {} })).rejects.toThrow(/socket hang up/);
});
