// Preloaded into a server: connections with `{ host, port }`, as the transport `ssh` opens them, use
// `SOURCE_ADDRESS`, so that hosts can tell servers on one machine apart. The PostgreSQL client uses another
// call signature and is not affected.

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
