import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { connect } from 'node:net';

/** Connects to a service in this process, and answers both ends of the connection. */
export async function connectTo(url: string): Promise<{ client: Socket; server: Socket }> {
  const accepted = Promise.withResolvers<Socket>();
  const onSocket = (message: unknown) => accepted.resolve((message as { socket: Socket }).socket);
  subscribe('net.server.socket', onSocket);
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  // Some tests want the service to break the connection.
  client.on('error', () => {});
  const server = await accepted.promise;
  unsubscribe('net.server.socket', onSocket);
  return { client, server };
}
