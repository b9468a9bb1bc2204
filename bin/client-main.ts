// The entry point of the client commands.

import manifest from '../package.json' with { type: 'json' };
import { runCli } from '../src/cli/main.ts';
import { processTerminal } from '../src/cli/terminal/process-terminal.ts';

export async function run(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCli(processTerminal(), argv, manifest.version);
}
