import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { Transform } from 'node:stream';

/** A way to a socket of this machine that can be cut and mended. */
export interface Proxy {
  readonly port: number;
  /** Breaks every connection and takes no new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Keeps every connection, and what is sent on it; with `all` also those that are to come. */
  freeze(which?: 'all'): void;
  /** Passes on what was kept, and all that follows. */
  thaw(): void;
  /**
   * Breaks the connection on which this text is sent next: before it is passed on, or when it was and the answer is there, which nobody
   * gets. Resolves when that has happened.
   */
  cutAt(text: string, when: 'unsent' | 'unanswered'): Promise<void>;
}

interface Trap {
  readonly text: string;
  readonly when: 'unsent' | 'unanswered';
  readonly sprung: () => void;
}

/** One connection, and the one that it is passed on to. */
class Passage {
  readonly #caller: Socket;
  readonly #onward: Socket;
  readonly #takeTrap: (sent: string) => Trap | undefined;

  constructor(
    caller: Socket,
    target: string,
    takeTrap: (sent: string) => Trap | undefined,
    ended: () => void,
  ) {
    this.#caller = caller;
    this.#onward = connect(target);
    this.#takeTrap = takeTrap;
    for (const socket of [this.#caller, this.#onward]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.cut();
        ended();
      });
    }
  }

  pass(): void {
    this.#caller.pipe(this.#watched()).pipe(this.#onward);
    this.#onward.pipe(this.#caller);
  }

  cut(): void {
    this.#caller.destroy();
    this.#onward.destroy();
  }

  freeze(): void {
    for (const socket of [this.#caller, this.#onward]) {
      socket.unpipe();
      socket.pause();
    }
  }

  #watched(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, pass) => {
        const trap = this.#takeTrap(chunk.toString('latin1'));
        const spring = () => {
          this.cut();
          trap?.sprung();
        };
        if (trap?.when === 'unsent') return spring();
        if (trap) {
          this.#onward.unpipe();
          this.#onward.once('data', spring).resume();
        }
        pass(null, chunk);
      },
    });
  }
}

export async function startProxy(target: string): Promise<Proxy> {
  const passages = new Set<Passage>();
  let trap: Trap | undefined;
  let isFrozen = false;
  const takeTrap = (sent: string) => {
    if (!trap || !sent.includes(trap.text)) return undefined;
    const taken = trap;
    trap = undefined;
    return taken;
  };
  const server = createServer(socket => {
    const passage = new Passage(socket, target, takeTrap, () => passages.delete(passage));
    passages.add(passage);
    if (!isFrozen) passage.pass();
  });
  const listen = (port: number) =>
    new Promise<void>(resolve => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    cut: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const passage of passages) passage.cut();
      }),
    mend: () => listen(address.port),
    freeze: which => {
      isFrozen = which === 'all';
      for (const passage of passages) passage.freeze();
    },
    thaw: () => {
      isFrozen = false;
      for (const passage of passages) passage.pass();
    },
    cutAt: (text, when) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      trap = { text, when, sprung: resolve };
      return promise;
    },
  };
}
