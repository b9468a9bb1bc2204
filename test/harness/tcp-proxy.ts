import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { Transform } from 'node:stream';
import { listen } from './http/sockets.ts';

/** A proxy to a local socket that tests can cut and restore. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks all connections and rejects new ones. */
  cut(): Promise<void>;
  /** Keeps all connections and their data; `all` also affects new connections. */
  stall(which?: 'all'): void;
  /** Accepts connections again and forwards the data that was held back. */
  restore(): Promise<void>;
  /**
   * Breaks the connection on which this text is sent next: before it is forwarded (`unsent`), or when its
   * response has arrived (`unanswered`), which is discarded. Resolves after the cut.
   */
  cutAt(text: string, when: 'unsent' | 'unanswered'): Promise<void>;
}

interface CutTrigger {
  readonly text: string;
  readonly when: 'unsent' | 'unanswered';
  readonly onCut: () => void;
}

/** A client connection and its upstream connection. */
class ProxiedConnection {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #takeTrigger: (sent: string) => CutTrigger | undefined;
  #isForwarding = false;

  constructor(
    client: Socket,
    target: string,
    takeTrigger: (sent: string) => CutTrigger | undefined,
    ended: () => void,
  ) {
    this.#client = client;
    this.#upstream = connect(target);
    this.#takeTrigger = takeTrigger;
    for (const socket of [this.#client, this.#upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.cut();
        ended();
      });
    }
  }

  forward(): void {
    if (this.#isForwarding) return;
    this.#isForwarding = true;
    this.#client.pipe(this.#inspect()).pipe(this.#upstream);
    this.#upstream.pipe(this.#client);
  }

  cut(): void {
    this.#client.destroy();
    this.#upstream.destroy();
  }

  stall(): void {
    this.#isForwarding = false;
    for (const socket of [this.#client, this.#upstream]) {
      socket.unpipe();
      socket.pause();
    }
  }

  #inspect(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, forward) => {
        const trigger = this.#takeTrigger(chunk.toString('latin1'));
        const cutAndNotify = () => {
          this.cut();
          trigger?.onCut();
        };
        if (trigger?.when === 'unsent') return cutAndNotify();
        if (trigger) {
          this.#upstream.unpipe();
          this.#upstream.once('data', cutAndNotify).resume();
        }
        forward(null, chunk);
      },
    });
  }
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const connections = new Set<ProxiedConnection>();
  let trigger: CutTrigger | undefined;
  let isStalled = false;
  const takeTrigger = (sent: string) => {
    if (!trigger || !sent.includes(trigger.text)) return undefined;
    const taken = trigger;
    trigger = undefined;
    return taken;
  };
  const server = createServer(socket => {
    const connection = new ProxiedConnection(socket, target, takeTrigger, () => connections.delete(connection));
    connections.add(connection);
    if (!isStalled) connection.forward();
  });
  const port = await listen(server);
  return {
    port,
    cut: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const connection of connections) connection.cut();
      }),
    stall: which => {
      isStalled = which === 'all';
      for (const connection of connections) connection.stall();
    },
    restore: async () => {
      isStalled = false;
      for (const connection of connections) connection.forward();
      if (!server.listening) await listen(server, '127.0.0.1', port);
    },
    cutAt: (text, when) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      trigger = { text, when, onCut: resolve };
      return promise;
    },
  };
}
