import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createCertificate } from '../../../test/harness/certificates/certificates.ts';
import { listen } from '../../../test/harness/http/sockets.ts';
import { createNodeServer } from './node-server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-server-'));
afterAll(() => rmSync(folder, { recursive: true }));
const files = createCertificate(folder);
const certificate = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };

/** More than the kernel buffers between two processes. */
const LARGE_BODY = Buffer.alloc(60_000_000);
/** On a busy machine this process may be paused for seconds. */
const IDLE_MS = 4000;

let stop = async () => {};
afterEach(() => stop());

async function startServer(): Promise<{ port: number; closed: Promise<unknown> }> {
  const connections = { max: 100, isBehindProxy: false };
  const connectionMetrics = { opened: () => {}, closed: () => {}, rejected: () => {} };
  const limits = {
    receiveTimeoutMs: 60_000,
    idleTimeoutMs: IDLE_MS,
    connections,
    connectionMetrics,
  };
  const server = createNodeServer({ ...limits, tls: certificate }, (_request, response) => response.end(LARGE_BODY));
  const closed = new Promise(resolve => {
    server.on('connection', (socket: Socket) => socket.on('close', resolve));
  });
  const port = await listen(server);
  stop = async () => {
    stop = async () => {};
    const ended = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await ended;
  };
  return { port, closed };
}

// test/api/slow-clients.test.ts tests plain HTTP with the whole server.
describe('large response over TLS', () => {
  async function sendRequest(headers: string) {
    const { port, closed } = await startServer();
    const client = connectTls({ port, host: '127.0.0.1', ca: certificate.cert });
    client.on('error', () => {});
    client.write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    return { client, closed };
  }

  test('reaches a slow client completely', async () => {
    const { client } = await sendRequest('Connection: close\r\n');
    const startedAt = performance.now();
    let bytes = 0;
    for await (const chunk of client) {
      bytes += chunk.length;
      await delay(10);
    }
    expect(bytes).toBeGreaterThan(LARGE_BODY.length);
    expect(performance.now() - startedAt).toBeGreaterThan(2 * IDLE_MS);
  });

  test('closes the connection if the client does not read', async () => {
    const { client, closed } = await sendRequest('');
    client.pause();
    await closed;
    client.destroy();
  });
});

test('closeAllConnections closes connections with an unfinished TLS handshake', async () => {
  const { port } = await startServer();
  const client = connect(port, '127.0.0.1');
  await once(client, 'connect');
  const ended = once(client.resume(), 'close');
  await stop();
  await ended;
});
