import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What Node knows of a connection, and has no public name for. */
interface Inside {
  /** The answer that the client is waiting for. */
  readonly _httpMessage?: ServerResponse | null;
  /** The connection below one with TLS. */
  readonly _parent?: Inside;
  readonly _handle?: { readonly writeQueueSize: number } | null;
}

/** The request is here, and nothing of the answer: whatever takes so long, it is not the client. */
const isOurTurn = (socket: Socket & Inside): boolean =>
  socket._httpMessage?.req.complete === true && socket.writableLength === 0;

/** Below TLS, what is written and not yet sent. Without TLS Node compares that by itself before it calls a connection idle. */
const unsentBelowTls = ({ _parent }: Socket & Inside): number => _parent?._handle?.writeQueueSize ?? 0;

/** Closes connections on which nothing has moved for a while, unless the next move is ours. */
export function closeStalledConnections(server: Server, idleTimeoutMs: number): void {
  const unsentBefore = new WeakMap<Socket, number>();
  server.setTimeout(idleTimeoutMs, socket => {
    if (isOurTurn(socket)) return;
    const unsent = unsentBelowTls(socket);
    if (unsent === 0 || unsent === unsentBefore.get(socket)) {
      socket.destroy();
      return;
    }
    unsentBefore.set(socket, unsent);
    socket.setTimeout(idleTimeoutMs);
  });
}
