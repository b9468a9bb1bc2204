import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { connect } from 'node:net';

/**
 * Connects to a service in this process, and returns both ends of the connection. Other connections can be accepted at the same moment,
 * so the server's end is found by the port of the client.
 */
export async function connectTo(url: string): Promise<{ client: Socket; server: Socket }> {
  const own = Promise.withResolvers<Socket>();
  const accepted: Socket[] = [];
  const findOwn = () => {
    const socket = accepted.find(
      ({ remotePort }) => remotePort !== undefined && remotePort === client.localPort,
    );
    if (socket) own.resolve(socket);
  };
  const onSocket = (message: unknown) => {
    accepted.push((message as { socket: Socket }).socket);
    findOwn();
  };
  subscribe('net.server.socket', onSocket);
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  // Some tests want the service to break the connection.
  client.on('error', () => {});
  client.once('connect', findOwn);
  const server = await own.promise;
  unsubscribe('net.server.socket', onSocket);
  return { client, server };
}
