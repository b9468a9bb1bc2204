import type { Socket } from 'node:net';
import type { RebootHistory } from './reboot-history.ts';

export interface HostCommand {
  readonly address: string;
  /** Source address of the server. */
  readonly source: string;
  /** From `performance.now()`. */
  readonly atMs: number;
}

/** Hosts that outlive the servers and record their own reboots. */
export interface HostFleet {
  /** By host address. */
  readonly endpoints: ReadonlyMap<string, { readonly port: number }>;
  /** Base64. */
  readonly privateKey: string;
  readonly links: NetworkLinks;
  readonly commands: readonly HostCommand[];
  readonly rebootHistory: RebootHistory;
  /** Total of all hosts. */
  readonly rebootCount: number;
  stop(): Promise<void>;
}

interface TrackedConnection {
  readonly socket: Socket;
  readonly source: string;
  /** Called once, when the link is open. */
  readonly accept: () => void;
  isAccepted: boolean;
}

/**
 * Network links from servers to hosts, by the source address of the server. A link is open, cut or stalled.
 */
export class NetworkLinks {
  readonly #connections = new Set<TrackedConnection>();
  readonly #cut = new Set<string>();
  readonly #stalled = new Set<string>();

  addConnection(socket: Socket, accept: () => void): void {
    const source = socket.remoteAddress ?? '';
    if (this.#cut.has(source)) {
      socket.destroy();
      return;
    }
    const connection: TrackedConnection = { socket, source, accept, isAccepted: false };
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
    if (!this.#stalled.has(source)) this.#accept(connection);
  }

  /** The addresses of the hosts with an open connection from the source, once per connection. */
  connectedHosts(source: string): readonly string[] {
    return this.#connectionsFrom(source).map(({ socket }) => socket.localAddress ?? '');
  }

  /** Breaks all connections and rejects new ones. */
  cut(source: string): void {
    this.#cut.add(source);
    for (const { socket } of this.#connectionsFrom(source)) socket.destroy();
  }

  /** Keeps all connections and their data; accepts new connections but does not serve them. */
  stall(source: string): void {
    this.#stalled.add(source);
    for (const { socket } of this.#connectionsFrom(source)) {
      socket.pause();
      socket.cork();
    }
  }

  /** Delivers the data that was sent while the link was stalled. */
  restore(source: string): void {
    this.#cut.delete(source);
    if (!this.#stalled.delete(source)) return;
    for (const connection of this.#connectionsFrom(source)) {
      if (!connection.isAccepted) this.#accept(connection);
      connection.socket.uncork();
      connection.socket.resume();
    }
  }

  close(): void {
    for (const { socket } of this.#connections) socket.destroy();
  }

  #connectionsFrom(source: string): readonly TrackedConnection[] {
    return [...this.#connections].filter(connection => connection.source === source);
  }

  #accept(connection: TrackedConnection): void {
    connection.isAccepted = true;
    connection.accept();
  }
}
