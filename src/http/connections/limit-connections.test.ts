import { connect, createServer, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../../test/harness/listen.ts';
import { until } from '../../../test/harness/until.ts';
import type { ConnectionMeter } from './limit-connections.ts';
import { limitConnections } from './limit-connections.ts';

const MOST = 6;

let stop = () => {};
afterEach(() => stop());

/** Counts what it is told. */
function counted() {
  const told = { open: 0, total: 0, client: 0 };
  const meter: ConnectionMeter = {
    opened: () => {
      told.open += 1;
    },
    closed: () => {
      told.open -= 1;
    },
    refused: limit => {
      told[limit] += 1;
    },
  };
  return { told, meter };
}

async function limited(isBehindProxy: boolean) {
  const server = createServer();
  const open: Socket[] = [];
  const { told, meter } = counted();
  limitConnections(server, { most: MOST, isBehindProxy }, meter);
  const port = await listen(server);
  stop = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  /** How many of so many stay open. */
  const stayOpen = async (count: number, localAddress: string) => {
    const mine = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
    open.push(...mine);
    for (const socket of mine) socket.on('error', () => {}).resume();
    const seen = () => mine.filter(socket => !socket.connecting).length;
    await until('all were let in, or not', () => seen() === count);
    const connections = () =>
      new Promise<number>(resolve => server.getConnections((_, found) => resolve(found)));
    await until('the others are closed', async () => {
      const closed = open.filter(socket => socket.closed).length;
      return open.length - closed === (await connections());
    });
    return mine.filter(socket => !socket.closed).length;
  };
  return { told, stayOpen, leave: (index: number) => open[index]?.destroy() };
}

test('one address may have half of all connections, and others the rest', async () => {
  const { told, stayOpen, leave } = await limited(false);
  expect(await stayOpen(5, '127.0.0.1')).toBe(3);
  expect(await stayOpen(2, '127.0.0.2')).toBe(2);
  expect(await stayOpen(3, '127.0.0.3')).toBe(1);
  expect(told).toEqual({ open: 6, total: 2, client: 2 });
  for (const index of [0, 1, 2, 3, 4]) leave(index);
  await until('there is room again', async () => (await stayOpen(1, '127.0.0.1')) === 1);
});

test('a proxy may have all of them', async () => {
  const { told, stayOpen } = await limited(true);
  expect(await stayOpen(8, '127.0.0.1')).toBe(6);
  expect(told).toEqual({ open: 6, total: 2, client: 0 });
});

test.each([
  ['an IPv6 network of 64 bits is one caller', (n: number) => `2001:db8:1:2:${n}::1`, 2],
  ['two such networks are two', (n: number) => `2001:db8:1:${n}::1`, 0],
  ['IPv4 addresses are one each, spelled as IPv6 as well', (n: number) => `::ffff:192.0.2.${n}`, 0],
])('%s', (_what, addressOf, refused) => {
  const server = createServer();
  const { told, meter } = counted();
  limitConnections(server, { most: MOST, isBehindProxy: false }, meter);
  for (const n of [1, 2, 3, 4, 5]) {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: addressOf(n) });
    server.emit('connection', socket);
    expect(socket.destroyed).toBe(n > 5 - refused);
  }
  expect(told).toEqual({ open: 5 - refused, total: 0, client: refused });
});
