import net from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../../../../test/harness/http/sockets.ts';
import { CpuThrottle } from '../../../lib/concurrency.ts';
import { ThrottledSocket } from './throttled-socket.ts';

/** Sends bytes to two sockets that share a throttle and returns what they receive. */
async function receive(bytes: Buffer, throttle: CpuThrottle): Promise<Buffer[]> {
  const server = net.createServer(socket => socket.on('error', () => {}).end(bytes));
  const port = await listen(server);
  try {
    return await Promise.all(
      [1, 2].map(async () => {
        const socket = new ThrottledSocket(throttle);
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
  ['without throttling', 1000],
  ['with throttling', 0.01],
])('ThrottledSocket delivers all data in order %s', async (_label, budgetMs) => {
  for (const bytes of await receive(BYTES, new CpuThrottle(budgetMs))) expect(bytes.equals(BYTES)).toBe(true);
});

test('ThrottledSocket closes a connection whose host does not read', async () => {
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
