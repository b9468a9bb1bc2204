import { StoreDamagedError, StoreUnavailableError } from '../../domain/errors.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { endProcess } from '../end-process.ts';
import { outageReason } from '../parts/outage-reason.ts';

function explain(error: unknown): string {
  if (error instanceof PlainError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StoreDamagedError)
    return `the store is corrupt: ${outageReason(error)}; restore a backup (see docs/admin/backup-and-restore.md)`;
  if (error instanceof StoreUnavailableError)
    return `cannot connect to the store: ${outageReason(error)}; check the setting store`;
  return error.stack ?? error.message;
}

/** Runs a command. If it fails, prints the reason and ends the program with the status for it. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  // Whatever a command creates, secrets among it, is for its own user only.
  process.umask(0o077);
  try {
    await work();
  } catch (error) {
    process.stderr.write(`hostler: ${explain(error)}\n`);
    // A part that does not close must not keep the program running.
    endProcess(
      error instanceof LastingError || error instanceof StoreDamagedError ? EXIT.misconfigured : EXIT.failed,
    );
  }
}
