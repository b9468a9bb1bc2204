import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** A way to a socket of this machine that can be cut and mended. */
export interface Proxy {
  readonly port: number;
  /** Breaks every connection and takes no new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Keeps every connection, and what is sent on it. */
  freeze(): void;
}

export async function startProxy(target: string): Promise<Proxy> {
  const open = new Set<Socket>();
  const server = createServer(socket => {
    const onward = connect(target);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  const listen = (port: number) =>
    new Promise<void>(resolve => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    cut: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
    mend: () => listen(address.port),
    freeze: () => {
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
    },
  };
}
