// The dependencies of one simulated server. A test can kill and freeze the server, isolate it from the hosts
// and make its store fail. A killed server receives no results and no timers, and sends and writes nothing.

import { StoreUnavailableError } from '../../../src/domain/errors.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import type { ContainerManager } from '../../../src/drivers/container-manager/container-manager.ts';
import type { Connection, Transport } from '../../../src/drivers/transport/transport.ts';
import type { TimerClock } from '../../../src/lib/time/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { interceptCalls } from './intercept-calls.ts';

/** The commit at which a server crashes: `before` rolls the commit back, `after` keeps it but the server never receives the result. */
export interface Crash {
  readonly commit: number;
  readonly when: 'before' | 'after';
}

/** Failures that are planned when the server starts. */
export interface PlannedFailures {
  readonly crash?: Crash;
  /** The server freezes at this call or result, counted from 1. */
  readonly freezesAtPass?: number;
}

/** A time in which the server was frozen, in milliseconds of the monotonic clock. */
export interface Freeze {
  readonly fromMs: number;
  /** `undefined` while the server is frozen. */
  readonly untilMs: number | undefined;
}

class Killed extends Error {}

const never = () => new Promise<never>(() => {});

const NO_ROUTE = new TransportFailure('unreachable', 'no route to host');

export class KillableServer {
  #thawed: Promise<void> = Promise.resolve();
  #thaw = () => {};
  #isDead = false;
  #crash: Crash | undefined;
  /** Committed transactions. */
  commits = 0;
  /** Calls that the server made plus results that it received. */
  #passes = 0;
  #freezesAtPass: number | undefined;
  #lastFreeze: Freeze | undefined;
  #failingTransactions = 0;
  #isIsolated = false;
  readonly #connections = new Set<Connection>();
  #monotonicMs = () => 0;

  constructor({ crash, freezesAtPass }: PlannedFailures = {}) {
    this.#crash = crash;
    this.#freezesAtPass = freezesAtPass;
  }

  get isFrozen(): boolean {
    return this.#lastFreeze !== undefined && this.#lastFreeze.untilMs === undefined;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isIsolated(): boolean {
    return this.#isIsolated;
  }

  get isStoreUnavailable(): boolean {
    return this.#failingTransactions > 0;
  }

  get lastFreeze(): Freeze | undefined {
    return this.#lastFreeze;
  }

  /** The next transactions fail with `StoreUnavailableError`. */
  failTransactions(transactions: number): void {
    this.#failingTransactions = transactions;
  }

  kill(): void {
    this.#isDead = true;
  }

  freeze(): void {
    this.#lastFreeze = { fromMs: this.#monotonicMs(), untilMs: undefined };
    ({ promise: this.#thawed, resolve: this.#thaw } = Promise.withResolvers<void>());
  }

  thaw(): void {
    if (this.#lastFreeze) this.#lastFreeze = { ...this.#lastFreeze, untilMs: this.#monotonicMs() };
    this.#thaw();
  }

  /** Cuts the network between this server and all hosts. Commands that a host has received already still take effect there. */
  isolate(): void {
    this.#isIsolated = true;
    for (const connection of this.#connections) connection.close();
    this.#connections.clear();
  }

  reconnect(): void {
    this.#isIsolated = false;
  }

  /** Delays calls and results while the server is frozen, and forever after it is killed. */
  async #pass(): Promise<void> {
    this.#passes += 1;
    if (this.#passes === this.#freezesAtPass) this.freeze();
    await this.#thawed;
    if (this.#isDead) await never();
  }

  async #intercept<T>(run: () => Promise<T>): Promise<T> {
    await this.#pass();
    try {
      return await run();
    } finally {
      await this.#pass();
    }
  }

  clock(clock: TimerClock): TimerClock {
    this.#monotonicMs = () => clock.monotonicMs();
    return {
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      setTimer: (ms, callback) => {
        let isOff = false;
        const cancel = clock.setTimer(ms, async () => {
          await this.#pass();
          if (!isOff) callback();
        });
        return () => {
          isOff = true;
          cancel();
        };
      },
    };
  }

  store(store: Store): Store {
    return {
      ...store,
      listen: listener =>
        store.listen(async signal => {
          await this.#pass();
          listener(signal);
        }),
      reads: interceptCalls(store.reads, call => this.#intercept(call)),
      transaction: run =>
        this.#intercept(async () => {
          if (this.#failingTransactions > 0) {
            this.#failingTransactions -= 1;
            throw new StoreUnavailableError('connection lost');
          }
          // Concurrent transactions of this server may commit first, so the count can already be past the planned commit.
          const isLast = this.#crash !== undefined && this.commits + 1 >= this.#crash.commit;
          try {
            const committed = await store.transaction(async records => {
              const result = await run(records);
              if (isLast && this.#crash?.when === 'before') throw new Killed();
              return result;
            });
            this.commits += 1;
            if (isLast) this.kill();
            return committed;
          } catch (error) {
            if (error instanceof Killed) this.kill();
            throw error;
          }
        }),
    };
  }

  transport(transport: Transport): Transport {
    return {
      ...transport,
      connect: (target, limits) =>
        this.#intercept(async () => {
          if (this.#isIsolated) return NO_ROUTE;
          const connection = await transport.connect(target, limits);
          if (!('run' in connection)) return connection;
          if (!this.#isIsolated) return this.#connection(connection);
          connection.close();
          return NO_ROUTE;
        }),
    };
  }

  manager(manager: ContainerManager): ContainerManager {
    return this.calls(manager);
  }

  /** Any other object that the server calls. */
  calls<T extends object>(called: T): T {
    return interceptCalls(called, call => this.#intercept(call));
  }

  #connection(connection: Connection): Connection {
    this.#connections.add(connection);
    return {
      hostKey: connection.hostKey,
      run: (argv, options) => this.#intercept(() => connection.run(argv, options)),
      close: () => {
        this.#connections.delete(connection);
        if (!this.#isDead) connection.close();
      },
    };
  }
}
