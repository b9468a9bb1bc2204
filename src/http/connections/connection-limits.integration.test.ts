import { connect, createServer, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../../test/harness/http/sockets.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import type { Log } from '../../lib/log.ts';
import type { ConnectionMetrics } from './connection-limits.ts';
import { limitConnections, logRejectedConnections } from './connection-limits.ts';

const MAX_CONNECTIONS = 6;

let stop = () => {};
afterEach(() => stop());

function countConnections() {
  const counts = { open: 0, total: 0, client: 0 };
  const metrics: ConnectionMetrics = {
    opened: () => {
      counts.open += 1;
    },
    closed: () => {
      counts.open -= 1;
    },
    rejected: limit => {
      counts[limit] += 1;
    },
  };
  return { counts, metrics };
}

async function startServer(isBehindProxy: boolean) {
  const server = createServer();
  const sockets: Socket[] = [];
  const { counts, metrics } = countConnections();
  limitConnections(server, { max: MAX_CONNECTIONS, isBehindProxy }, metrics);
  const port = await listen(server);
  stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  /** Returns how many of the opened connections stay open. */
  const countOpen = async (count: number, localAddress: string) => {
    const opened = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
    sockets.push(...opened);
    for (const socket of opened) socket.on('error', () => {}).resume();
    const countConnected = () => opened.filter(socket => !socket.connecting).length;
    await waitUntil('all connections are accepted or rejected', () => countConnected() === count);
    const connections = () => new Promise<number>(resolve => server.getConnections((_, total) => resolve(total)));
    await waitUntil('the rejected connections are closed', async () => {
      const closed = sockets.filter(socket => socket.closed).length;
      return sockets.length - closed === (await connections());
    });
    return opened.filter(socket => !socket.closed).length;
  };
  return { counts, countOpen, disconnect: (index: number) => sockets[index]?.destroy() };
}

test('limitConnections allows one client half of all connections', async () => {
  const { counts, countOpen, disconnect } = await startServer(false);
  expect(await countOpen(5, '127.0.0.1')).toBe(3);
  expect(await countOpen(2, '127.0.0.2')).toBe(2);
  expect(await countOpen(3, '127.0.0.3')).toBe(1);
  expect(counts).toEqual({ open: 6, total: 2, client: 2 });
  for (const index of [0, 1, 2, 3, 4]) disconnect(index);
  await waitUntil('a connection is available again', async () => (await countOpen(1, '127.0.0.1')) === 1);
});

test('limitConnections allows a proxy all connections', async () => {
  const { counts, countOpen } = await startServer(true);
  expect(await countOpen(8, '127.0.0.1')).toBe(6);
  expect(counts).toEqual({ open: 6, total: 2, client: 0 });
});

test.each([
  ['an IPv6 /64 as one client', (n: number) => `2001:db8:1:2:${n}::1`, 2],
  ['two IPv6 /64 networks as two clients', (n: number) => `2001:db8:1:${n}::1`, 0],
  ['each IPv4 address as one client, also if mapped to IPv6', (n: number) => `::ffff:192.0.2.${n}`, 0],
])('limitConnections counts %s', (_case, toAddress, rejected) => {
  const server = createServer();
  const { counts, metrics } = countConnections();
  limitConnections(server, { max: MAX_CONNECTIONS, isBehindProxy: false }, metrics);
  for (const n of [1, 2, 3, 4, 5]) {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: toAddress(n) });
    server.emit('connection', socket);
    expect(socket.destroyed).toBe(n > 5 - rejected);
  }
  expect(counts).toEqual({ open: 5 - rejected, total: 0, client: rejected });
});

test('logRejectedConnections logs the first rejection at once, then one summary per minute', () => {
  let [nowMs, rejectedCount] = [0, 0];
  const lines: unknown[] = [];
  const log = { warn: (fields: unknown) => lines.push(fields) } as unknown as Log;
  const rejected = () => {
    rejectedCount += 1;
  };
  const metrics = logRejectedConnections({ opened: () => {}, closed: () => {}, rejected }, log, {
    now: () => 0,
    monotonicMs: () => nowMs,
  });
  metrics.rejected('client', '192.0.2.1');
  nowMs = 59_999;
  for (let times = 0; times < 10; times += 1) metrics.rejected('client', '192.0.2.1');
  expect(lines).toEqual([{ limit: 'client', address: '192.0.2.1', rejected: 1 }]);
  nowMs = 60_000;
  metrics.rejected('total', '192.0.2.2');
  expect(lines.slice(1)).toEqual([{ limit: 'total', address: '192.0.2.2', rejected: 11 }]);
  expect(rejectedCount).toBe(12);
});
