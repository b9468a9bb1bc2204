import type { Socket } from 'node:net';

interface Guest {
  readonly socket: Socket;
  readonly source: string;
  /** Lets it in; called once, at once or when its way is open again. */
  readonly enter: () => void;
  hasEntered: boolean;
}

/** The ways from servers to hosts, each server known by the address that it comes from. A way is open, cut or clogged. */
export class Ways {
  readonly #guests = new Set<Guest>();
  readonly #cut = new Set<string>();
  readonly #clogged = new Set<string>();

  /** Somebody has come. */
  arrive(socket: Socket, enter: () => void): void {
    const source = socket.remoteAddress ?? '';
    if (this.#cut.has(source)) {
      socket.destroy();
      return;
    }
    const guest: Guest = { socket, source, enter, hasEntered: false };
    this.#guests.add(guest);
    socket.once('close', () => this.#guests.delete(guest));
    if (!this.#clogged.has(source)) this.#letIn(guest);
  }

  /** How many connections are open from there. */
  openFrom(source: string): number {
    return this.#from(source).length;
  }

  /** Breaks every connection, and takes no new ones. */
  cut(source: string): void {
    this.#cut.add(source);
    for (const { socket } of this.#from(source)) socket.destroy();
  }

  /** Keeps every connection, and what is sent on it; new ones are taken, and wait. */
  clog(source: string): void {
    this.#clogged.add(source);
    for (const { socket } of this.#from(source)) {
      socket.pause();
      socket.cork();
    }
  }

  /** What was sent while it was clogged arrives, late. */
  mend(source: string): void {
    this.#cut.delete(source);
    if (!this.#clogged.delete(source)) return;
    for (const guest of this.#from(source)) {
      if (!guest.hasEntered) this.#letIn(guest);
      guest.socket.uncork();
      guest.socket.resume();
    }
  }

  end(): void {
    for (const { socket } of this.#guests) socket.destroy();
  }

  #from(source: string): readonly Guest[] {
    return [...this.#guests].filter(guest => guest.source === source);
  }

  #letIn(guest: Guest): void {
    guest.hasEntered = true;
    guest.enter();
  }
}
