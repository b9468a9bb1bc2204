import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** Listens and returns the port. Default: a free one. */
export async function listen(server: Server, address = '127.0.0.1', port = 0): Promise<number> {
  await once(server.listen(port, address), 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  return bound.port;
}

async function bindBriefly(address: string, port: number): Promise<number> {
  const server = createServer();
  const bound = await listen(server, address, port);
  await new Promise(resolve => server.close(resolve));
  return bound;
}

/** Nothing listens on the port now, but another process can bind it later. */
export const freePort = (address = '127.0.0.1'): Promise<number> => bindBriefly(address, 0);

export const isPortFree = (address: string, port: number): Promise<boolean> =>
  bindBriefly(address, port).then(
    () => true,
    () => false,
  );

/**
 * Connects to a server in this process and returns both sockets. The server socket is found by the client
 * port, because other connections may arrive at the same time.
 */
export async function connectSockets(url: string): Promise<{ client: Socket; server: Socket }> {
  const serverEnd = Promise.withResolvers<Socket>();
  const accepted: Socket[] = [];
  const findServerEnd = () => {
    const socket = accepted.find(({ remotePort }) => remotePort !== undefined && remotePort === client.localPort);
    if (socket) serverEnd.resolve(socket);
  };
  const onSocket = (message: unknown) => {
    accepted.push((message as { socket: Socket }).socket);
    findServerEnd();
  };
  subscribe('net.server.socket', onSocket);
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  // Some tests expect the server to break the connection.
  client.on('error', () => {});
  client.once('connect', findServerEnd);
  const server = await serverEnd.promise;
  unsubscribe('net.server.socket', onSocket);
  return { client, server };
}
