// What one server stands on, so that a test can freeze it and kill it at any moment: then nothing that it has begun comes back to it,
// no timer of it fires, and nothing that it would send or write gets out.

import { StoreUnavailable } from '../../../src/domain/errors.ts';
import type { ContainerManager } from '../../../src/drivers/container-manager/container-manager.ts';
import type { Connection, Transport } from '../../../src/drivers/transport/transport.ts';
import type { AlarmClock } from '../../../src/lib/time/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { aroundCalls } from './around-calls.ts';

/** A commit of a server at which it dies: just before, so that nothing of it counts, or just after, before it learns of it. */
export interface Death {
  readonly commit: number;
  readonly when: 'before' | 'after';
}

/** What becomes of a server: it dies, or freezes at a call that it makes or an answer that it gets. */
export interface Fate {
  readonly death?: Death;
  readonly freezesAtPass?: number;
}

class Killed extends Error {}

const never = () => new Promise<never>(() => {});

export class Mortal {
  #thawed: Promise<void> = Promise.resolve();
  #thaw = () => {};
  #isDead = false;
  #death: Death | undefined;
  /** How many transactions it has committed. */
  commits = 0;
  /** How often it has called something, or got an answer. */
  #passes = 0;
  #freezesAtPass: number | undefined;
  #isFrozen = false;
  #cutOff = 0;

  constructor({ death, freezesAtPass }: Fate = {}) {
    this.#death = death;
    this.#freezesAtPass = freezesAtPass;
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** The store cannot be reached for its next so many transactions. */
  cutOffStore(transactions: number): void {
    this.#cutOff = transactions;
  }

  kill(): void {
    this.#isDead = true;
  }

  freeze(): void {
    this.#isFrozen = true;
    ({ promise: this.#thawed, resolve: this.#thaw } = Promise.withResolvers<void>());
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#thaw();
  }

  /** Lets through who lives; holds back who is frozen; nobody ever hears of the dead again. */
  async #pass(): Promise<void> {
    this.#passes += 1;
    if (this.#passes === this.#freezesAtPass) this.freeze();
    await this.#thawed;
    if (this.#isDead) await never();
  }

  async #through<T>(work: () => Promise<T>): Promise<T> {
    await this.#pass();
    try {
      return await work();
    } finally {
      await this.#pass();
    }
  }

  clock(clock: AlarmClock): AlarmClock {
    return {
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      after: (ms, callback) => {
        let isOff = false;
        const cancel = clock.after(ms, async () => {
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
      reads: aroundCalls(store.reads, call => this.#through(call)),
      transaction: work =>
        this.#through(async () => {
          if (this.#cutOff > 0) {
            this.#cutOff -= 1;
            throw new StoreUnavailable('cut off');
          }
          // Others that it has begun meanwhile may be committed first.
          const isLast = this.#death !== undefined && this.commits + 1 >= this.#death.commit;
          try {
            const answer = await store.transaction(async records => {
              const result = await work(records);
              if (isLast && this.#death?.when === 'before') throw new Killed();
              return result;
            });
            this.commits += 1;
            if (isLast) this.kill();
            return answer;
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
        this.#through(async () => {
          const connection = await transport.connect(target, limits);
          return 'run' in connection ? this.#connection(connection) : connection;
        }),
    };
  }

  manager(manager: ContainerManager): ContainerManager {
    return this.calls(manager);
  }

  /** Anything else that it calls. */
  calls<T extends object>(called: T): T {
    return aroundCalls(called, call => this.#through(call));
  }

  #connection(connection: Connection): Connection {
    return {
      hostKey: connection.hostKey,
      run: (argv, options) => this.#through(() => connection.run(argv, options)),
      close: () => {
        if (!this.#isDead) connection.close();
      },
    };
  }
}
