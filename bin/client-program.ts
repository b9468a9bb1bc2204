// The commands that ask a service.

import { readFileSync } from 'node:fs';
import { runCli } from '../src/cli/main.ts';
import { processTerminal } from '../src/cli/process-terminal.ts';

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return String(Reflect.get(Object(manifest), 'version'));
}

export async function run(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCli(processTerminal(), argv, version());
}
