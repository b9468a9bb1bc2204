// Who is slow is waited for, and who stands still is not: neither one who does not send, nor one who does not read.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate } from '../harness/certificates/certificates.ts';
import { connectTo } from '../harness/http/both-ends.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, basic, startTestService } from '../harness/service.ts';

/** The limit of a second, the second between two looks at it, and as much again for a busy machine. */
const SOON_MS = 4000;

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

async function closedWithinMs(socket: Socket): Promise<number> {
  const startedAt = performance.now();
  if (!socket.destroyed) await once(socket, 'close');
  return performance.now() - startedAt;
}

/** All that arrives until the connection is closed. */
async function readAll(client: Socket): Promise<string> {
  let text = '';
  client.on('data', data => {
    text += data;
  });
  await once(client, 'close');
  return text;
}

describe('a client that does not send', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', { HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '1' });
  });
  afterAll(() => service.stop());

  test('the rest of a request is told so and cut off', async () => {
    const { client } = await connectTo(service.url);
    client.write('GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n');
    const answer = await readAll(client);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*request_timeout/);
    expect(answer).toContain('x-content-type-options: nosniff\r\n');
  });

  test('anything at all is cut off without a word, which it would take for the answer to its first request', async () => {
    const { client, server } = await connectTo(service.url);
    const answer = readAll(client);
    expect(await closedWithinMs(server)).toBeLessThan(SOON_MS);
    expect(await answer).toBe('');
  });
});

describe('a client that does not do its part of TLS', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-tls-'));
  let service: TestService;
  beforeAll(async () => {
    const { cert, key } = makeCertificate(folder);
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

  test('since it is silent is cut off', async () => {
    const { client, server } = await connectTo(service.url);
    client.resume();
    expect(await closedWithinMs(server)).toBeLessThan(SOON_MS);
  });

  test('any further is cut off without a word, too', async () => {
    const { hostname, port } = new URL(service.url);
    const client = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
    await once(client, 'secureConnect');
    expect(await readAll(client)).toBe('');
  });

  test('in time is cut off, even if bytes keep coming', async () => {
    const { client, server } = await connectTo(service.url);
    client.resume();
    // The beginning of a hello of 512 bytes, which never ends.
    client.write(Buffer.from([22, 3, 1, 2, 0, 1]));
    const drip = setInterval(() => client.write(Buffer.alloc(1)), 100);
    expect(await closedWithinMs(server)).toBeLessThan(SOON_MS);
    clearInterval(drip);
  });

  test('but sends HTTP in clear is cut off at once, without an answer', async () => {
    const { client } = await connectTo(service.url);
    client.write(get('/healthz'));
    expect(await readAll(client)).not.toContain('HTTP');
  });
});

describe('an answer that is not read', () => {
  const REQUESTS = 600;
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', { HOSTLER_HTTP_IDLE_TIMEOUT_S: '2' });
  });
  afterAll(() => service.stop());

  test('gets the connection closed, while one that is idle between requests stays open', async () => {
    const idle = await connectTo(service.url);
    idle.client.write(get('/healthz'));
    await once(idle.client, 'data');

    const { client, server } = await connectTo(service.url);
    client.pause();
    client.write(get('/openapi.json').repeat(REQUESTS));
    // Node closes at the second look, when as much is left to be sent as at the first.
    expect(await closedWithinMs(server)).toBeLessThan(2 * SOON_MS);
    client.destroy();

    idle.client.write(get('/healthz', 'Connection: close\r\n'));
    expect(await readAll(idle.client)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('quickly, but steadily, is sent to its end', async () => {
    const { client } = await connectTo(service.url);
    client.write(get('/openapi.json').repeat(REQUESTS - 1) + get('/openapi.json', 'Connection: close\r\n'));
    const startedAt = performance.now();
    const begin = 'HTTP/1.1 200 OK';
    let [answers, end] = [0, ''];
    for await (const chunk of client) {
      // Where one chunk ends and the next begins may be in the middle of it.
      const text = end + chunk;
      answers += text.split(begin).length - 1;
      end = text.slice(1 - begin.length);
      await delay(5);
    }
    expect(performance.now() - startedAt).toBeGreaterThan(2000);
    expect(answers).toBe(REQUESTS);
  });

  test('since there is none yet is waited for', async () => {
    const inside = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const inTheWay = service.store.transaction(async () => {
      inside.resolve();
      await goOn.promise;
    });
    await inside.promise;
    const { client, server } = await connectTo(service.url);
    const body = '{"type":"none","options":{}}';
    const authorization = basic(`admin:${ADMIN_PASSWORD}`);
    client.write(
      `PUT /api/v0/network/late HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(server, 'timeout');
    goOn.resolve();
    await inTheWay;
    expect(await readAll(client)).toMatch(/^HTTP\/1\.1 201 /);
  });
});
