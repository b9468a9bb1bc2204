import type { LogMark, VerifiedLog } from '../events/verify-log.ts';
import { verifyLog } from '../events/verify-log.ts';
import { breakInWords } from '../events/walk-chain.ts';
import { PlainError } from '../lib/errors/plain-error.ts';
import type { ConfigSources } from './configuration/config.ts';
import { loadConfig } from './configuration/config.ts';
import { openLogKeyOf } from './keys/open-log-key-of.ts';
import { visitStore } from './parts/open-store.ts';
import { say } from './say.ts';

const TELL_EVERY = 100_000;

/** Now and then, of a log that is long. */
export function sayProgress(): (entries: number) => void {
  let told = 0;
  return entries => {
    if (entries < told + TELL_EVERY) return;
    told = entries;
    say(`  ${entries} entries verified …`);
  };
}

export function soundnessInWords({ entries, oldest, newest }: VerifiedLog): string {
  if (!oldest || !newest) return 'The audit log is empty.';
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  return `${count} from ${oldest.at} to ${newest.at}; the hash chain is valid. Newest entry: ${newest.id}:${newest.hash}`;
}

/** An entry of the log as this command prints it. */
export function parseMark(text: string): LogMark {
  const [, id, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || hash === undefined)
    throw new PlainError(
      `--expect: ${JSON.stringify(text)} is not ID:HASH; copy the newest entry from an earlier output of this command`,
    );
  return { id: Number(id), hash };
}

const EXPECTED: Readonly<Record<'differs' | 'missing' | 'gone', (id: number) => string>> = {
  differs: id =>
    `entry ${id} has a different hash: the log was reset to an older state and continued from there`,
  missing: id =>
    `entry ${id} is missing: the log was reset to an older state, or the store was restored from a backup (then the log has an entry service.restored)`,
  gone: id => `entry ${id} was pruned and cannot be compared; use a newer entry`,
};

function report(found: VerifiedLog, mark: LogMark | undefined): void {
  const { expected } = found;
  if (mark && expected && expected !== 'same')
    throw new PlainError(`the hash chain is valid, but ${EXPECTED[expected](mark.id)}`);
  say(soundnessInWords(found));
  if (found.newest && mark) say(`Entry ${mark.id} has the expected hash.`);
}

/** `hostler audit verify`: whether the log is as it was written, whether the service is running or not. */
export async function runVerification(sources: ConfigSources, expect: string | undefined): Promise<void> {
  const expected = expect === undefined ? undefined : parseMark(expect);
  const config = loadConfig(sources);
  const store = await visitStore(config);
  try {
    const key = await openLogKeyOf(config, store);
    if (key === undefined)
      throw new PlainError('the store has no audit log yet; start the server once first');
    const found = await verifyLog(store, key, { expected, progressed: sayProgress() });
    if ('why' in found) throw new PlainError(breakInWords(found));
    report(found, expected);
  } finally {
    await store.close();
  }
}
