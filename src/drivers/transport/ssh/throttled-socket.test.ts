import net from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../../../../test/harness/listen.ts';
import { CpuThrottle } from '../../../lib/concurrency.ts';
import { ThrottledSocket } from './throttled-socket.ts';

/** What a server sends to two connections that share a turnstile, as they receive it. */
async function received(bytes: Buffer, turns: CpuThrottle): Promise<Buffer[]> {
  const server = net.createServer(socket => socket.on('error', () => {}).end(bytes));
  const port = await listen(server);
  try {
    return await Promise.all(
      [1, 2].map(async () => {
        const socket = new ThrottledSocket(turns);
        socket.connect({ host: '127.0.0.1', port });
        const chunks: Buffer[] = [];
        for await (const chunk of socket) chunks.push(chunk);
        return Buffer.concat(chunks);
      }),
    );
  } finally {
    server.close();
  }
}

const BYTES = Buffer.from(Array.from({ length: 1_000_003 }, (_, index) => index % 251));

test.each([
  ['whenever it comes', 1000],
  ['in many turns', 0.01],
])('everything arrives, in its order and up to the end, %s', async (_when, forMs) => {
  for (const bytes of await received(BYTES, new CpuThrottle(forMs))) expect(bytes.equals(BYTES)).toBe(true);
});

test('a host that sends and does not read is cut off', async () => {
  const server = net.createServer(socket => {
    socket.pause().on('error', () => {});
    const timer = setInterval(() => socket.write('x'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  const port = await listen(server);
  const socket = new ThrottledSocket(new CpuThrottle(5));
  const ended = new Promise<Error>(resolve => socket.once('error', resolve));
  socket.connect({ host: '127.0.0.1', port });
  socket.write(Buffer.alloc(64 * 1024 * 1024));
  socket.resume();
  expect((await ended).message).toBe('the host does not read from the connection');
  server.close();
});
