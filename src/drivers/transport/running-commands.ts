import type { Ran } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import { Attempt } from './attempt.ts';
import type { Limits } from './transport.ts';

/** The commands that run on one connection. They end together: when one fails, or when it is closed. */
export class RunningCommands {
  readonly #clock: AlarmClock;
  readonly #letGo: () => void;
  readonly #running = new Set<Attempt<Ran>>();
  #end: TransportFailure | undefined;

  /** `letGo` is called once, when the connection is of no use any more. */
  constructor(clock: AlarmClock, letGo: () => void) {
    this.#clock = clock;
    this.#letGo = letGo;
  }

  async run(limits: Limits, begin: (attempt: Attempt<Ran>) => void): Promise<Ran | TransportFailure> {
    if (this.#end) return this.#end;
    const answer = await Attempt.within<Ran>(this.#clock, limits, attempt => {
      this.#running.add(attempt);
      attempt.onceOver(() => this.#running.delete(attempt));
      begin(attempt);
    });
    if (answer instanceof TransportFailure) this.fail(answer);
    return answer;
  }

  fail({ detail }: TransportFailure): void {
    this.end(`the connection was lost: ${detail}`);
  }

  /** What still runs is answered `unreachable`, and all that comes. May be repeated: the first reason stays. */
  end(reason: string): void {
    if (this.#end) return;
    this.#end = new TransportFailure('unreachable', reason);
    for (const attempt of [...this.#running]) attempt.settle(this.#end);
    this.#letGo();
  }
}
