import { readFileSync, statSync } from 'node:fs';
import type { ExitCode } from '../cli/program.ts';
import { EXIT_CODES } from '../cli/program.ts';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export const version =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown';

/** A checkout is not on the PATH. An installed package contains no TypeScript. */
export const programName = import.meta.url.endsWith('.ts') ? 'npx hostler' : 'hostler';

/** A reader such as head can close the pipe early. The command still runs to its end. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`hostler: cannot write the output: ${error.message}\n`);
  process.exitCode ||= EXIT_CODES.failed;
}

export function printLine(line: string): void {
  if (!process.stdout.listeners('error').includes(ignoreBrokenPipe)) process.stdout.on('error', ignoreBrokenPipe);
  process.stdout.write(`${line}\n`);
}

const PROGRESS_INTERVAL_MS = 2000;

export function createProgressPrinter(format: (progress: number) => string): (progress: number) => void {
  let printedAtMs = performance.now();
  return progress => {
    if (performance.now() - printedAtMs < PROGRESS_INTERVAL_MS) return;
    printedAtMs = performance.now();
    printLine(`  ${format(progress)} …`);
  };
}

export const formatFileSize = (file: string): string => `${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`;

/** `process.exit` waits for the threads of file system and name resolution requests, possibly forever. */
const hasBlockedThreads = () =>
  process.getActiveResourcesInfo().some(name => /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/.test(name));

/** Ends the process even while a thread waits for a disk that does not respond. */
export function forceExit(code: ExitCode): never {
  if (hasBlockedThreads() && process.execve) {
    // Runs the exit listeners, as `process.exit` does.
    process.emit('exit', code);
    // The only way to exit with a status without waiting for the threads.
    process.execve(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {});
  }
  process.exit(code);
}
