import { readFileSync, statSync } from 'node:fs';
import type { ExitCode } from '../cli/program.ts';
import { EXIT_CODES } from '../cli/program.ts';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export const version =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';

/** How people call the program where it runs: a checkout has it on no path. A package has no TypeScript. */
export const programName = import.meta.url.endsWith('.ts') ? 'npx hostler' : 'hostler';

/** Whoever reads may have seen enough, as head does: what a command does goes on to its end all the same. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`hostler: cannot write the output: ${error.message}\n`);
  process.exitCode ||= EXIT_CODES.failed;
}

/** To the person at the machine. */
export function printLine(line: string): void {
  if (!process.stdout.listeners('error').includes(ignoreBrokenPipe))
    process.stdout.on('error', ignoreBrokenPipe);
  process.stdout.write(`${line}\n`);
}

/** For people. */
export const formatFileSize = (file: string): string => `${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`;

/** Requests to files and for names are carried out by threads, and `process.exit` waits for each of them, if need be for ever. */
const hasBlockedThreads = () =>
  process.getActiveResourcesInfo().some(name => /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/.test(name));

/** Ends the process, also while a thread waits for a disk that does not answer. */
export function forceExit(code: ExitCode): never {
  if (hasBlockedThreads() && process.execve) {
    // What waits to be written, or has to be removed, is told as it is by an exit.
    process.emit('exit', code);
    // Another program in the place of this one takes its threads away, and is the only way to end without them by a code.
    process.execve(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {});
  }
  process.exit(code);
}
