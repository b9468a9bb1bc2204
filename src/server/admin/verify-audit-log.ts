import { describeViolation } from '../../events/hash-chain.ts';
import type { LogCheckpoint, LogVerification } from '../../events/verify-log.ts';
import { verifyLog } from '../../events/verify-log.ts';
import { OperatorError } from '../../lib/errors.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import { createProgressPrinter, printLine } from '../process.ts';
import { loadLogKey } from '../secret-keys.ts';
import { attachStore } from '../wiring/open-store.ts';

export const createVerifyProgress = () => createProgressPrinter(entries => `${entries} entries verified`);

export function describeVerifiedLog({ entries, oldest, newest }: LogVerification): string {
  if (!oldest || !newest) return 'The audit log is empty.';
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  return `${count} from ${oldest.at} to ${newest.at}; the hash chain is valid. Newest entry: ${newest.id}:${newest.hash}`;
}

/** Parses ID:HASH, the format in which this command prints the newest entry. */
export function parseCheckpoint(text: string): LogCheckpoint {
  const [, id, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || hash === undefined)
    throw new OperatorError(
      `--expect: ${JSON.stringify(text)} is not ID:HASH; copy the newest entry from an earlier output of this command`,
    );
  return { id: Number(id), hash };
}

const CHECKPOINT_ERRORS: Readonly<Record<'differs' | 'missing' | 'pruned', (id: number) => string>> = {
  differs: id => `entry ${id} has a different hash: the log was reset to an older state and continued from there`,
  missing: id =>
    `entry ${id} is missing: the log was reset to an older state, or the store was restored from a backup (then the log has an entry service.restored)`,
  pruned: id => `entry ${id} was pruned and cannot be compared; use a newer entry`,
};

function printResult(result: LogVerification, checkpoint: LogCheckpoint | undefined): void {
  const { checkpoint: expected } = result;
  if (checkpoint && expected && expected !== 'match')
    throw new OperatorError(`the hash chain is valid, but ${CHECKPOINT_ERRORS[expected](checkpoint.id)}`);
  printLine(describeVerifiedLog(result));
  if (result.newest && checkpoint) printLine(`Entry ${checkpoint.id} has the expected hash.`);
}

/** `hostler audit verify`. The server can keep running. */
export async function verifyAuditLog(sources: ConfigSources, expect: string | undefined): Promise<void> {
  const checkpoint = expect === undefined ? undefined : parseCheckpoint(expect);
  const config = loadConfig(sources);
  const store = await attachStore(config);
  try {
    const key = await loadLogKey(config, store);
    if (key === undefined) throw new OperatorError('the store has no audit log yet; start the server once first');
    const result = await verifyLog(store, key, { checkpoint, onProgress: createVerifyProgress() });
    if ('kind' in result) throw new OperatorError(describeViolation(result));
    printResult(result, checkpoint);
  } finally {
    await store.close();
  }
}
