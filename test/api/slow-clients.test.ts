// The server waits for slow clients, but closes the connection of clients that stop sending or reading.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate } from '../harness/certificates/certificates.ts';
import { ADMIN_PASSWORD, basic } from '../harness/credentials.ts';
import { connectSockets } from '../harness/http/sockets.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';

/** One second limit and one second check interval; less than the default limit of ten seconds. */
const CLOSE_WITHIN_MS = 8000;

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

async function closedWithinMs(socket: Socket): Promise<number> {
  const startedAt = performance.now();
  if (!socket.destroyed) await once(socket, 'close');
  return performance.now() - startedAt;
}

/** Everything received until the connection is closed. */
async function readAll(client: Socket): Promise<string> {
  let text = '';
  client.on('data', data => {
    text += data;
  });
  await once(client, 'close');
  return text;
}

describe('a client that stops sending', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', { HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '1' });
  });
  afterAll(() => service.stop());

  test('gets 408 in the middle of a request', async () => {
    const { client } = await connectSockets(service.url);
    client.write('GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n');
    const response = await readAll(client);
    expect(response).toMatch(/^HTTP\/1\.1 408 [\s\S]*request_timeout/);
    expect(response).toContain('x-content-type-options: nosniff\r\n');
  });

  test('gets no response before a request: the client would take it for the response to its first request', async () => {
    const { client, server } = await connectSockets(service.url);
    const response = readAll(client);
    expect(await closedWithinMs(server)).toBeLessThan(CLOSE_WITHIN_MS);
    expect(await response).toBe('');
  });
});

describe('a client that does not complete the TLS handshake', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-tls-'));
  let service: TestService;
  beforeAll(async () => {
    const { cert, key } = createCertificate(folder);
    service = await startTestService('sqlite', {
      HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '1',
      HOSTLER_TLS_CERT: cert,
      HOSTLER_TLS_KEY: key,
    });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  test('is disconnected if it sends nothing', async () => {
    const { client, server } = await connectSockets(service.url);
    client.resume();
    expect(await closedWithinMs(server)).toBeLessThan(CLOSE_WITHIN_MS);
  });

  test('is disconnected without a response if it sends no request after the handshake', async () => {
    const { hostname, port } = new URL(service.url);
    const client = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
    await once(client, 'secureConnect');
    expect(await readAll(client)).toBe('');
  });

  test('is disconnected after the timeout even if bytes keep arriving', async () => {
    const { client, server } = await connectSockets(service.url);
    client.resume();
    // The start of a ClientHello of 512 bytes that never ends.
    client.write(Buffer.from([22, 3, 1, 2, 0, 1]));
    const drip = setInterval(() => client.write(Buffer.alloc(1)), 100);
    expect(await closedWithinMs(server)).toBeLessThan(CLOSE_WITHIN_MS);
    clearInterval(drip);
  });

  test('is disconnected if it sends plain HTTP', async () => {
    const { client } = await connectSockets(service.url);
    client.write(get('/healthz'));
    expect(await readAll(client)).not.toContain('HTTP');
  });
});

describe('an unread response', () => {
  /** About 30 MB of responses. The buffers of the kernel hold 4 to 10 MB. */
  const REQUESTS = 100;
  const IDLE_TIMEOUT_MS = 2000;
  /** Half of the default limit. */
  const CLOSE_IDLE_WITHIN_MS = 30_000;
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', { HOSTLER_HTTP_IDLE_TIMEOUT_S: String(IDLE_TIMEOUT_MS / 1000) });
  });
  afterAll(() => service.stop());

  test('closes the connection, while an idle keep-alive connection stays open', async () => {
    const idle = await connectSockets(service.url);
    idle.client.write(get('/healthz'));
    await once(idle.client, 'data');

    const { client, server } = await connectSockets(service.url);
    client.pause();
    client.write(get('/openapi.json').repeat(REQUESTS));
    // Node closes the connection at the second check if no more was sent since the first.
    expect(await closedWithinMs(server)).toBeLessThan(CLOSE_IDLE_WITHIN_MS);
    client.destroy();

    idle.client.write(get('/healthz', 'Connection: close\r\n'));
    expect(await readAll(idle.client)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('is sent completely to a slow but steady reader', async () => {
    const { client } = await connectSockets(service.url);
    client.write(get('/openapi.json').repeat(REQUESTS - 1) + get('/openapi.json', 'Connection: close\r\n'));
    const startedAt = performance.now();
    const begin = 'HTTP/1.1 200 OK';
    let [responseCount, slowCount, end] = [0, 0, ''];
    for await (const chunk of client) {
      // The marker can be split between two chunks.
      const text = end + chunk;
      responseCount += text.split(begin).length - 1;
      end = text.slice(1 - begin.length);
      // The reader is slow for longer than the timeout, and then reads the rest at full speed.
      if (performance.now() - startedAt > 1.2 * IDLE_TIMEOUT_MS) continue;
      slowCount = responseCount;
      await delay(25);
    }
    expect(slowCount, 'the server sent everything before the timeout').toBeLessThan(REQUESTS / 2);
    expect(responseCount).toBe(REQUESTS);
  });

  test('does not close the connection while the server is still processing', async () => {
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const blockingTransaction = service.store.transaction(async () => {
      started.resolve();
      await release.promise;
    });
    await started.promise;
    const { client, server } = await connectSockets(service.url);
    const body = '{"type":"none","options":{}}';
    const authorization = basic(`admin:${ADMIN_PASSWORD}`);
    client.write(
      `PUT /api/v0/network/late HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(server, 'timeout');
    release.resolve();
    await blockingTransaction;
    expect(await readAll(client)).toMatch(/^HTTP\/1\.1 201 /);
  });
});
