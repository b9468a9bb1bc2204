import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../program/server-commands.ts';
import { usageProblem } from './cli-problem.ts';

const GROUP = 'Server commands (run on the server machine):';

/** Adds the server commands to the client's help only: `bin/hostler.js` runs them if they are the first arguments. */
export function addServerStubs(program: Command): void {
  for (const [path, description] of Object.entries(SERVER_COMMANDS)) {
    const [name = '', noun] = path.split(' ').reverse();
    const parent = program.commands.find(each => each.name() === noun) ?? program;
    parent
      .command(name)
      .description(description)
      .helpGroup(GROUP)
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw usageProblem(
          `${path} is a server command. Put it first, followed by its options: hostler ${path} [options]`,
        );
      });
  }
}
