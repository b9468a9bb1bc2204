import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../../test/harness/until.ts';
import { limitConnections } from './limit-connections.ts';

const MOST = 6;

let stop = () => {};
afterEach(() => stop());

async function listen(isBehindProxy: boolean) {
  const server = createServer();
  const open: Socket[] = [];
  limitConnections(server, { most: MOST, isBehindProxy });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
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
  return { stayOpen, leave: (index: number) => open[index]?.destroy() };
}

test('one address may have half of all connections, and others the rest', async () => {
  const { stayOpen, leave } = await listen(false);
  expect(await stayOpen(5, '127.0.0.1')).toBe(3);
  expect(await stayOpen(2, '127.0.0.2')).toBe(2);
  expect(await stayOpen(3, '127.0.0.3')).toBe(1);
  for (const index of [0, 1, 2, 3, 4]) leave(index);
  await until('there is room again', async () => (await stayOpen(1, '127.0.0.1')) === 1);
});

test('a proxy may have all of them', async () => {
  const { stayOpen } = await listen(true);
  expect(await stayOpen(8, '127.0.0.1')).toBe(6);
});
