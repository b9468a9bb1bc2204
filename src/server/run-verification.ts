import { openLogKey } from '../app/audit/log-key.ts';
import type { LogMark, VerifiedLog } from '../events/verify-log.ts';
import { verifyLog } from '../events/verify-log.ts';
import { meaningOf } from '../events/walk-chain.ts';
import { PlainError } from '../lib/errors/plain-error.ts';
import { openVault } from '../secrets/keyring.ts';
import type { ConfigSources } from './configuration/config.ts';
import { loadConfig } from './configuration/config.ts';
import { secretKeyPlace } from './keys/secret-key.ts';
import { visitStore } from './parts/open-store.ts';
import { say } from './say.ts';

const TELL_EVERY = 100_000;

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

function report({ entries, oldest, newest, expected }: VerifiedLog, mark: LogMark | undefined): void {
  if (mark && expected && expected !== 'same')
    throw new PlainError(`the chain holds, but ${EXPECTED[expected](mark.id)}`);
  if (!oldest || !newest) {
    say('The log is empty.');
    return;
  }
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  say(`${count} from ${oldest.at} to ${newest.at}, the chain holds; newest ${newest.id}:${newest.hash}`);
  if (mark) say(`Entry ${mark.id} is the one that was written down.`);
}

/** `hostler audit verify`: whether the log is as it was written, whether the service is running or not. */
export async function runVerification(sources: ConfigSources, expect: string | undefined): Promise<void> {
  const expected = expect === undefined ? undefined : parseMark(expect);
  const config = loadConfig(sources);
  const store = await visitStore(config);
  try {
    const vault = await openVault(secretKeyPlace(config, false).keys, store.reads.dataKeys);
    const key = await openLogKey({ store, vault });
    if (key === undefined) throw new PlainError('the store has no log yet; start the service on it first');
    let told = 0;
    const progressed = (entries: number) => {
      if (entries < told + TELL_EVERY) return;
      told = entries;
      say(`  ${entries} entries hold …`);
    };
    const found = await verifyLog(store, key, { expected, progressed });
    if ('why' in found)
      throw new PlainError(`the chain does not hold at entry ${found.id}: ${meaningOf(found)}`);
    report(found, expected);
  } finally {
    await store.close();
  }
}
