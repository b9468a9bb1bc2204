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
    say(`  ${entries} entries hold …`);
  };
}

export function soundnessInWords({ entries, oldest, newest }: VerifiedLog): string {
  if (!oldest || !newest) return 'The log is empty.';
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  return `${count} from ${oldest.at} to ${newest.at}, the chain holds; newest ${newest.id}:${newest.hash}`;
}

/** An entry of the log as this command prints it. */
export function parseMark(text: string): LogMark {
  const [, id, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || hash === undefined)
    throw new PlainError(`${JSON.stringify(text)} is not ID:HASH, as this command prints it`);
  return { id: Number(id), hash };
}

const EXPECTED: Readonly<Record<'differs' | 'missing' | 'gone', (id: number) => string>> = {
  differs: id =>
    `entry ${id} has another hash than was written down: the log was put back to an older one, and went on from there`,
  missing: id =>
    `entry ${id} was written down, and is not there: the log was put back to an older one, or the store was restored from a backup (service.restored in the log says so)`,
  gone: id =>
    `entry ${id} was cut off since it was written down, so there is nothing to compare with; write down a newer one`,
};

function report(found: VerifiedLog, mark: LogMark | undefined): void {
  const { expected } = found;
  if (mark && expected && expected !== 'same')
    throw new PlainError(`the chain holds, but ${EXPECTED[expected](mark.id)}`);
  say(soundnessInWords(found));
  if (found.newest && mark) say(`Entry ${mark.id} is the one that was written down.`);
}

/** `hostler audit verify`: whether the log is as it was written, whether the service is running or not. */
export async function runVerification(sources: ConfigSources, expect: string | undefined): Promise<void> {
  const expected = expect === undefined ? undefined : parseMark(expect);
  const config = loadConfig(sources);
  const store = await visitStore(config);
  try {
    const key = await openLogKeyOf(config, store);
    if (key === undefined) throw new PlainError('the store has no log yet; start the service on it first');
    const found = await verifyLog(store, key, { expected, progressed: sayProgress() });
    if ('why' in found) throw new PlainError(breakInWords(found));
    report(found, expected);
  } finally {
    await store.close();
  }
}
