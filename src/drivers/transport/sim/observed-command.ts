import type { Argv, Ran } from '../../../domain/command.ts';
import type { SimulatedHost } from './simulated-host.ts';
import type { World } from './world.ts';

/** A command on its way: `before` it takes effect, or `after`, when its answer has not left yet. */
export interface ObservedCommand {
  readonly moment: 'before' | 'after';
  readonly host: SimulatedHost;
  readonly argv: Argv;
  readonly asRoot: boolean;
  /** When the server began to open the connection, in milliseconds since 1970. */
  readonly connectingSinceMs: number;
  /** What will be answered, `after`. */
  readonly ran?: Ran;
}

/** A promise holds the command back until it is fulfilled. */
export type CommandObserver = (command: ObservedCommand) => void | Promise<void>;

/** A world in which somebody may look on at commands. */
export interface ObservedWorld extends World {
  onCommand: CommandObserver | undefined;
}
