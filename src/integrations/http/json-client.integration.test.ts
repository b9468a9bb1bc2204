import type { lookup as dnsLookup } from 'node:dns';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { Server, Socket } from 'node:net';
import { createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { createCertificate } from '../../../test/harness/certificates/certificates.ts';
import { listen } from '../../../test/harness/http/sockets.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { filteredLookup, NO_METADATA } from './address-rules.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { JsonClientOptions, JsonResponse } from './json-client.ts';
import { JsonClient } from './json-client.ts';

const connections = new ConnectionPool();
const folder = mkdtempSync(path.join(tmpdir(), 'hostler-clients-'));
const servers: Server[] = [];

afterAll(async () => {
  await connections.close();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

type Responder = (request: IncomingMessage, response: ServerResponse) => unknown;

function listenUntilTeardown(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  servers.push(server);
  return listen(server);
}

async function plainServer(answer: Responder, access: Partial<JsonClientOptions> = {}): Promise<JsonClient> {
  const port = await listenUntilTeardown(createHttp(answer));
  return new JsonClient({ url: `http://127.0.0.1:${port}`, connections, ...access });
}

const own = createCertificate(path.join(folder, 'own'));
const other = createCertificate(path.join(folder, 'other'));

async function tlsServer(): Promise<string> {
  const pair = { cert: readFileSync(own.cert), key: readFileSync(own.key) };
  return `https://127.0.0.1:${await listenUntilTeardown(createHttps(pair, (_, response) => response.end('{"hello":1}')))}`;
}

const get = { method: 'GET', path: '/' } as const;

describe('JsonClient', () => {
  test.each(['http://169.254.169.254', 'https://[fe80::1]:6443', 'http://[::ffff:169.254.169.254]'])(
    'does not connect to the link-local address %s',
    async url => {
      const server = new JsonClient({ url, connections });
      await expect(server.request(get)).rejects.toMatchObject({
        kind: 'untrusted',
        message: expect.stringMatching(
          /: the URL points to a link-local or cloud metadata address; set allow_link_local on the server to allow it$/,
        ),
      });
    },
  );

  test('does not connect if a name resolves to a link-local address', async () => {
    const resolve = ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address: '169.254.169.254', family: 4 }])) as unknown as typeof dnsLookup;
    const answer = await new Promise(done => {
      filteredLookup(NO_METADATA, resolve)('metadata.example', { all: true }, (...found) => done(found));
    });
    expect(answer).toEqual([expect.objectContaining({ code: 'FORBIDDEN_ADDRESS' }), []]);
  });

  test('sends method, path, query, headers and body, and returns status and JSON', async () => {
    const server = await plainServer(
      async (request, response) => {
        const { method, url, headers } = request;
        const { authorization, 'content-type': type } = headers;
        response.statusCode = 201;
        response.end(JSON.stringify({ method, url, authorization, type, body: await text(request) }));
      },
      { headers: { authorization: 'Bearer x' } },
    );
    const call = {
      method: 'PATCH',
      path: '/a/b',
      query: { limit: 5, none: undefined },
      body: { a: 1 },
    } as const;
    expect(await server.request({ ...call, contentType: 'application/merge-patch+json' })).toEqual({
      status: 201,
      length: expect.any(Number),
      body: {
        ...{ method: 'PATCH', url: '/a/b?limit=5', authorization: 'Bearer x' },
        ...{ type: 'application/merge-patch+json', body: '{"a":1}' },
      },
    });
  });

  test('prepends the path of its URL to the request path', async () => {
    const port = await listenUntilTeardown(
      createHttp((request, response) => response.end(JSON.stringify(request.url))),
    );
    const server = new JsonClient({ url: `http://127.0.0.1:${port}/under/this/`, connections });
    expect((await server.request({ method: 'GET', path: '/x' })).body).toBe('/under/this/x');
  });

  test.each(['', 'no json', '{"half":'])('returns a body that is not JSON as text: %j', async body => {
    const server = await plainServer((_, response) => response.end(body));
    expect(await server.request(get)).toEqual({ status: 200, body: undefined, text: body });
  });

  test('does not follow redirects', async () => {
    const server = await plainServer((_, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    expect((await server.request(get)).status).toBe(302);
  });

  test('times out if there is no response', async () => {
    const server = await plainServer(() => {}, { timeoutMs: 50 });
    await expect(server.request(get)).rejects.toMatchObject({ kind: 'timed_out' });
  });

  test('times out if the response body stalls', async () => {
    const server = await plainServer((_, response) => response.write('{"a'), { timeoutMs: 50 });
    await expect(server.request(get)).rejects.toMatchObject({ kind: 'timed_out' });
  });

  test('reports a closed connection', async () => {
    const server = await plainServer(request => request.socket.destroy());
    await expect(server.request(get)).rejects.toMatchObject({
      kind: 'unreachable',
      message: `${server.displayName} does not respond: the connection was closed`,
    });
  });

  test('sends nothing after mayProceed returns false', async () => {
    let requests = 0;
    const server = await plainServer(() => (requests += 1), { mayProceed: () => false });
    await expect(server.request(get)).rejects.toMatchObject({ kind: 'aborted' });
    expect(requests).toBe(0);
  });
});

describe('TLS certificate of a server', () => {
  const requestFrom = async (url: string, caPath?: string) =>
    new JsonClient({ url, files: { caPath }, connections }).request(get);

  test('is accepted if the CA in ca_path signed it', async () => {
    expect((await requestFrom(await tlsServer(), own.cert)).body).toEqual({ hello: 1 });
  });

  test('is rejected if another CA signed it, with and without ca_path', async () => {
    const url = await tlsServer();
    for (const caPath of [undefined, other.cert])
      await expect(requestFrom(url, caPath)).rejects.toMatchObject({ kind: 'untrusted' });
  });

  test('is rejected if it is for another host name', async () => {
    const url = (await tlsServer()).replace('127.0.0.1', 'localhost');
    await expect(requestFrom(url, own.cert)).rejects.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('the certificate is for another host name'),
    });
  });

  test('is verified again after the CA file is replaced', async () => {
    const [url, caPath] = [await tlsServer(), path.join(folder, 'ca.pem')];
    copyFileSync(other.cert, caPath);
    await expect(requestFrom(url, caPath)).rejects.toMatchObject({ kind: 'untrusted' });
    copyFileSync(own.cert, caPath);
    expect((await requestFrom(url, caPath)).status).toBe(200);
  });

  test('is verified again after the CA file is overwritten with the same size and modification time', async () => {
    const [url, caPath] = [await tlsServer(), path.join(folder, 'kept-time.pem')];
    const put = (cert: string) => {
      writeFileSync(caPath, readFileSync(cert, 'utf8').padEnd(8192, '\n'));
      utimesSync(caPath, 1, 1);
    };
    put(other.cert);
    await expect(requestFrom(url, caPath)).rejects.toMatchObject({ kind: 'untrusted' });
    // File system timestamps have a resolution of milliseconds.
    await waitUntil('a trusted response', () => {
      put(own.cert);
      return requestFrom(url, caPath).catch(() => undefined);
    });
  });

  test.each([
    ['has no certificate', 'hostname', 'contains no certificate (PEM)'],
    ['is damaged', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'contains no certificate (PEM)'],
    ['is too large', 'x'.repeat(1024 * 1024 + 1), 'is too large; the maximum is 1048576 bytes'],
  ])('is rejected with the option name if the CA file %s', async (_what, content, reason) => {
    const file = path.join(folder, 'odd.pem');
    writeFileSync(file, content);
    await expect(requestFrom('https://127.0.0.1:1', file)).rejects.toMatchObject({
      kind: 'untrusted',
      message: `ca_path: ${file} ${reason}`,
    });
  });

  test.each(['/dev/zero', tmpdir()])('is not read from %s, which is not a regular file', async file => {
    await expect(requestFrom('https://127.0.0.1:1', file)).rejects.toThrow(`ca_path: ${file} is not a regular file`);
  });

  test('is rejected with the option name if the CA file is missing', async () => {
    const missing = path.join(folder, 'missing.pem');
    await expect(requestFrom('https://127.0.0.1:1', missing)).rejects.toThrow(
      `ca_path: ${missing} cannot be read (ENOENT)`,
    );
  });
});

describe('JsonClient with shared connections', () => {
  const client = (url: string, more: Partial<JsonClientOptions> = {}) =>
    new JsonClient({ url, files: { caPath: own.cert }, connections, timeoutMs: 2000, ...more });

  test.each([
    ['a token with a line feed', { authorization: 'Bearer SECRET\nx' }],
    ['a token with a non-Latin-1 character', { authorization: 'Bearer SECRET\u{1F600}' }],
    ['a header with an invalid name', { 'a b': 'SECRET' }],
    ['a connection header', { 'Transfer-Encoding': 'SECRET' }],
  ])('does not send %s, and does not report its value', async (_what, headers) => {
    const failure = await client(await tlsServer(), { headers })
      .request(get)
      .catch(error => error);
    expect(failure).toMatchObject({ kind: 'untrusted' });
    expect(failure.message).toMatch(
      /: (the value of the header (authorization|a b) is invalid|the header Transfer-Encoding must not be set)$/,
    );
  });

  test.each([
    ['an invalid header', { headers: { authorization: 'Bearer x\n' } }, get],
    ['an invalid path', {}, { ...get, path: '/a b' }],
  ])('still serves other requests after many requests with %s', async (_what, more, invalid) => {
    const url = await tlsServer();
    // More than the number of connections of an agent.
    for (let times = 0; times < 40; times += 1)
      await expect(client(url, more).request(invalid)).rejects.not.toMatchObject({ kind: 'timed_out' });
    expect((await client(url).request(get)).status).toBe(200);
    await expect(client(url, more).request(invalid)).rejects.toThrow();
    expect((await client(url).request(get)).status).toBe(200);
  });

  test('times out while it connects', async () => {
    const sockets: Socket[] = [];
    const port = await listenUntilTeardown(createTcp(socket => void sockets.push(socket.on('error', () => {}))));
    const before = performance.now();
    const calls = Array.from({ length: 40 }, () =>
      client(`https://127.0.0.1:${port}`, { timeoutMs: 200 }).request(get),
    );
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: { kind: 'timed_out' } });
    // One after the other they would take eight seconds.
    expect(performance.now() - before).toBeLessThan(6000);
    for (const socket of sockets) socket.destroy();
  });

  test('sends nothing if mayProceed turns false while it connects', async () => {
    let [requests, mayProceed] = [0, true];
    const pair = { cert: readFileSync(own.cert), key: readFileSync(own.key) };
    const server = createHttps(pair, () => (requests += 1));
    server.on('connection', () => {
      mayProceed = false;
    });
    const url = `https://127.0.0.1:${await listenUntilTeardown(server)}`;
    const call = client(url, { mayProceed: () => mayProceed }).request(get);
    await expect(call).rejects.toMatchObject({ kind: 'aborted' });
    expect(requests).toBe(0);
  });
});

describe('JsonClient.streamLines', () => {
  async function gather(server: JsonClient, most: number): Promise<JsonResponse[]> {
    const over = new AbortController();
    const seen: JsonResponse[] = [];
    for await (const line of server.streamLines({ ...get, signal: over.signal })) {
      seen.push(line);
      if (seen.length === most) over.abort();
    }
    return seen;
  }

  test('yields each line as it arrives, until aborted', async () => {
    const server = await plainServer((_, response) => {
      response.write('{"n":1}\n{"n"');
      setImmediate(() => response.write(':2}\n\n{"n":3}\n'));
    });
    expect((await gather(server, 3)).map(({ body }) => body)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test('ends with the response, and yields a last line without a line feed', async () => {
    const server = await plainServer((_, response) => response.end('{"n":1}\n{"n":2}'));
    expect(await gather(server, 9)).toHaveLength(2);
  });

  test('times out if the response does not start', async () => {
    const server = await plainServer(() => {}, { timeoutMs: 50 });
    await expect(gather(server, 1)).rejects.toMatchObject({ kind: 'timed_out' });
  });

  test('throws if the connection closes', async () => {
    const server = await plainServer((request, response) => {
      response.write('{"n":1}\n');
      setImmediate(() => request.socket.destroy());
    });
    await expect(gather(server, 9)).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
