// Loaded into a server before anything else: what it connects to by `{ host, port }`, as the transport `ssh` does, it comes to from an
// address of its own. So hosts can tell servers on one machine apart. PostgreSQL is connected to in another form.

import { Socket } from 'node:net';

const localAddress = process.env['SOURCE_ADDRESS'];
const connect = Socket.prototype.connect;

const isTarget = (options: unknown): options is object =>
  typeof options === 'object' && options !== null && 'host' in options && 'port' in options;

Socket.prototype.connect = function connectFrom(this: Socket, ...args: unknown[]): Socket {
  const [options, ...rest] = args;
  Reflect.apply(connect, this, isTarget(options) ? [{ ...options, localAddress }, ...rest] : args);
  return this;
};
