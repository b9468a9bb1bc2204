import { once } from 'node:events';
import type { Server } from 'node:net';

/** Has a server listen on a port that is free; answers the port. */
export async function listen(server: Server, address = '127.0.0.1'): Promise<number> {
  await once(server.listen(0, address), 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('it listens on no port');
  return bound.port;
}
