import type { ExitCode } from '../program/exit-codes.ts';

/** Requests to files and for names are carried out by threads, and `process.exit` waits for each of them, if need be for ever. */
const hasBusyThreads = () =>
  process.getActiveResourcesInfo().some(name => /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/.test(name));

/** Ends the process, also while a thread waits for a disk that does not answer. */
export function endProcess(code: ExitCode): never {
  if (hasBusyThreads() && process.execve) {
    // What waits to be written, or has to be removed, is told as it is by an exit.
    process.emit('exit', code);
    // Another program in the place of this one takes its threads away, and is the only way to end without them by a code.
    process.execve(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {});
  }
  process.exit(code);
}
