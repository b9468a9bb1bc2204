import type { Argv, Ran } from '../../../domain/command.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { RunningCommands } from '../running-commands.ts';
import type { Connection, RunOptions } from '../transport.ts';
import type { JournalEntry } from './journal.ts';
import type { ObservedWorld } from './observed-command.ts';
import { runCommand } from './run-command.ts';
import type { Session, SimulatedHost } from './simulated-host.ts';

export class SimulatedConnection implements Connection, Session {
  readonly hostKey: string;
  readonly #world: ObservedWorld;
  readonly #host: SimulatedHost;
  readonly #user: string;
  readonly #connectingSinceMs: number;
  readonly #commands: RunningCommands;

  constructor(
    world: ObservedWorld,
    host: SimulatedHost,
    { user, connectingSinceMs }: { readonly user: string; readonly connectingSinceMs: number },
  ) {
    this.#world = world;
    this.#host = host;
    this.#user = user;
    this.#connectingSinceMs = connectingSinceMs;
    this.hostKey = host.hostKey;
    this.#commands = new RunningCommands(world.clock, () => host.closed(this));
    host.opened(this);
  }

  async run(argv: Argv, { asRoot = false, input, ...limits }: RunOptions): Promise<Ran | TransportFailure> {
    let entry: JournalEntry | undefined;
    const answer = await this.#commands.run(limits, attempt => {
      entry = this.#host.note(argv, asRoot);
      const from = { user: this.#user, session: this, connectingSinceMs: this.#connectingSinceMs };
      const command = { argv, asRoot, input, attempt, entry, ...from };
      runCommand(this.#world, this.#host, command);
    });
    if (entry) entry.outcome = answer instanceof TransportFailure ? answer.kind : answer.exitCode;
    return answer;
  }

  close(): void {
    this.#commands.end('the connection was closed');
  }

  break(reason: string): void {
    this.#commands.end(reason);
  }
}
