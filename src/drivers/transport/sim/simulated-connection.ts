import type { Argv, Ran } from '../../../domain/command.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { Attempt } from '../attempt.ts';
import type { Connection, RunOptions } from '../transport.ts';
import type { JournalEntry } from './journal.ts';
import { runCommand } from './run-command.ts';
import type { Session, SimulatedHost } from './simulated-host.ts';
import type { World } from './world.ts';

export class SimulatedConnection implements Connection, Session {
  readonly hostKey: string;
  readonly #world: World;
  readonly #host: SimulatedHost;
  readonly #user: string;
  readonly #running = new Set<Attempt<Ran>>();
  /** Why it is not open any more. */
  #ended: string | undefined;

  constructor(world: World, host: SimulatedHost, user: string) {
    this.#world = world;
    this.#host = host;
    this.#user = user;
    this.hostKey = host.hostKey;
    host.opened(this);
  }

  async run(argv: Argv, { asRoot = false, ...limits }: RunOptions): Promise<Ran | TransportFailure> {
    if (this.#ended !== undefined) return new TransportFailure('unreachable', this.#ended);
    let entry: JournalEntry | undefined;
    const answer = await Attempt.within<Ran>(this.#world.clock, limits, attempt => {
      entry = this.#host.note(argv, asRoot);
      this.#running.add(attempt);
      const session = this;
      runCommand(this.#world, this.#host, { argv, asRoot, user: this.#user, session, attempt, entry });
      attempt.onceOver(() => this.#running.delete(attempt));
    });
    const isFailure = answer instanceof TransportFailure;
    if (entry) entry.outcome = isFailure ? answer.kind : answer.exitCode;
    if (isFailure) this.close();
    return answer;
  }

  close(): void {
    this.break('the connection was closed');
  }

  break(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#host.closed(this);
    for (const attempt of [...this.#running]) attempt.settle(new TransportFailure('unreachable', reason));
  }
}
