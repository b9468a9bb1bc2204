// Runs the commands of `command-helper.ts`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { CommandReply, CommandRequest } from './command-helper.ts';

async function run({ argv, env, input }: CommandRequest): Promise<CommandReply['result']> {
  const [program, ...args] = argv;
  const child = spawn(program, args, { detached: true, env, stdio: 'pipe' });
  // The program may close its input early.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const output = Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  await once(child, 'close');
  const [stdout, stderr] = await output;
  return { exitCode: child.exitCode ?? -1, stdout, stderr };
}

process.on('message', async (request: CommandRequest) => {
  const reply = await run(request).then(
    result => ({ id: request.id, result }),
    (error: Error) => ({ id: request.id, error: error.message }),
  );
  process.send?.(reply);
});
process.once('disconnect', () => process.exit());
