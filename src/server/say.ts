import { EXIT } from '../program/exit-codes.ts';

/** Whoever reads may have seen enough, as head does: what a command does goes on to its end all the same. */
function outlive(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`hostler: cannot write the output: ${error.message}\n`);
  process.exitCode ||= EXIT.failed;
}

/** To the person at the machine. */
export function say(line: string): void {
  if (!process.stdout.listeners('error').includes(outlive)) process.stdout.on('error', outlive);
  process.stdout.write(`${line}\n`);
}
