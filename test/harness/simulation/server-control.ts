// The dependencies of one simulated server, on which tests inject faults. A killed server receives no results and no timers, and sends and writes nothing.

import { StoreUnavailableError } from '../../../src/domain/errors.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import type { Connection, Transport } from '../../../src/drivers/transport/transport.ts';
import type { TimerClock } from '../../../src/lib/time/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import type { CommitFault, FaultTarget, ServerFault } from '../faults.ts';
import { interceptCalls } from './intercept-calls.ts';

/** A fault of the server at a commit, counted from 1. */
export interface FaultAtCommit {
  readonly commit: number;
  readonly fault: CommitFault;
}

/** The start of a server fails if it does not receive the response to one of these commits. */
export const COMMITS_OF_START = 3;

/** Faults that are planned when the server starts. */
export interface StartFaults {
  readonly atCommit?: FaultAtCommit;
  /** The server freezes at this call or result, counted from 1. */
  readonly freezesAtCall?: number;
}

/** A time in which the server was frozen, in milliseconds of the monotonic clock. */
export interface FrozenInterval {
  readonly fromMs: number;
  /** `undefined` while the server is frozen. */
  readonly untilMs: number | undefined;
}

class Killed extends Error {}

const never = () => new Promise<never>(() => {});

const NO_ROUTE = new TransportFailure('unreachable', 'no route to host');

/** Killing is final: a test starts another server instead. */
export type SimulatedServerFault = Extract<ServerFault, 'kill_server' | 'freeze_server' | 'cut_hosts' | 'cut_store'>;

export class SimulatedServerControl implements FaultTarget<SimulatedServerFault> {
  #thawed: Promise<void> = Promise.resolve();
  #thaw = () => {};
  readonly #faults = new Set<SimulatedServerFault>();
  readonly #atCommit: FaultAtCommit | undefined;
  /** Committed transactions. */
  commits = 0;
  /** Calls that the server made plus results that it received. */
  #callCount = 0;
  #freezesAtCall: number | undefined;
  #lastFrozen: FrozenInterval | undefined;
  #failingTransactions = 0;
  readonly #connections = new Set<Connection>();
  #monotonicMs = () => 0;

  constructor({ atCommit, freezesAtCall }: StartFaults = {}) {
    this.#atCommit = atCommit;
    this.#freezesAtCall = freezesAtCall;
  }

  has(fault: SimulatedServerFault): boolean {
    return this.#faults.has(fault);
  }

  get callCount(): number {
    return this.#callCount;
  }

  get isFrozen(): boolean {
    return this.has('freeze_server');
  }

  get isKilled(): boolean {
    return this.has('kill_server');
  }

  get lastFrozen(): FrozenInterval | undefined {
    return this.#lastFrozen;
  }

  /**
   * `cut_store` ends by itself after it has failed this many transactions. Commands that a host has received before
   * `cut_hosts` still take effect there.
   */
  inject(fault: SimulatedServerFault, { times = Number.POSITIVE_INFINITY }: { readonly times?: number } = {}): void {
    this.#faults.add(fault);
    if (fault === 'cut_store') this.#failingTransactions = times;
    if (fault === 'freeze_server') {
      this.#lastFrozen = { fromMs: this.#monotonicMs(), untilMs: undefined };
      ({ promise: this.#thawed, resolve: this.#thaw } = Promise.withResolvers<void>());
    }
    if (fault === 'cut_hosts') {
      for (const connection of this.#connections) connection.close();
      this.#connections.clear();
    }
  }

  revert(fault: SimulatedServerFault): void {
    if (fault === 'kill_server') throw new Error('a killed server cannot be started again');
    if (!this.#faults.delete(fault) || fault !== 'freeze_server') return;
    if (this.#lastFrozen) this.#lastFrozen = { ...this.#lastFrozen, untilMs: this.#monotonicMs() };
    this.#thaw();
  }

  /** Delays calls and results while the server is frozen, and forever after it is killed. */
  async #countCall(): Promise<void> {
    this.#callCount += 1;
    if (this.#callCount === this.#freezesAtCall) this.inject('freeze_server');
    await this.#thawed;
    if (this.isKilled) await never();
  }

  async #intercept<T>(run: () => Promise<T>): Promise<T> {
    await this.#countCall();
    try {
      return await run();
    } finally {
      await this.#countCall();
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
          await this.#countCall();
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
          await this.#countCall();
          listener(signal);
        }),
      reads: interceptCalls(store.reads, call => this.#intercept(call)),
      transaction: run =>
        this.#intercept(async () => {
          if (this.has('cut_store')) {
            this.#failingTransactions -= 1;
            if (this.#failingTransactions === 0) this.revert('cut_store');
            throw new StoreUnavailableError('connection lost');
          }
          const { commit, fault } = this.#atCommit ?? { commit: Number.POSITIVE_INFINITY };
          // Concurrent transactions of this server may commit first, so the count can already be past the planned commit.
          const isLast = this.commits + 1 >= commit && fault !== 'lose_response';
          try {
            const committed = await store.transaction(async records => {
              const result = await run(records);
              if (isLast && fault === 'crash_before') throw new Killed();
              return result;
            });
            this.commits += 1;
            if (isLast) this.inject('kill_server');
            if (this.commits === commit && fault === 'lose_response')
              throw new StoreUnavailableError('connection lost');
            return committed;
          } catch (error) {
            if (error instanceof Killed) this.inject('kill_server');
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
          if (this.has('cut_hosts')) return NO_ROUTE;
          const connection = await transport.connect(target, limits);
          if (!('run' in connection)) return connection;
          if (!this.has('cut_hosts')) return this.#connection(connection);
          connection.close();
          return NO_ROUTE;
        }),
    };
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
        if (!this.isKilled) connection.close();
      },
    };
  }
}
