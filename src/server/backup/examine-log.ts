import { verifyLog } from '../../events/verify-log.ts';
import { breakInWords } from '../../events/walk-chain.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import type { Store } from '../../store/store.ts';
import type { Config } from '../configuration/settings.ts';
import { openLogKeyOf } from '../keys/open-log-key-of.ts';
import { sayProgress, soundnessInWords } from '../run-verification.ts';

const EMPTY = 'The audit log of the backup is empty.';
const warning = (reason: string): string =>
  `Warning: the audit log of this backup failed verification: ${reason}. Other data may have been changed too. Use an earlier backup, or check the accounts and records before you start the server. See docs/admin/audit-log.md.`;

async function verified(config: Config, store: Store): Promise<string> {
  if ((await store.reads.logKeys.get()) === undefined) {
    const { lastId } = await store.reads.log.state();
    return lastId === 0 ? EMPTY : warning('the signing key of the audit log (table log_keys) is missing');
  }
  const key = await openLogKeyOf(config, store);
  if (key === undefined) throw new Error('the signing key of the audit log is missing');
  const found = await verifyLog(store, key, { progressed: sayProgress() });
  if ('why' in found) return warning(breakInWords(found));
  return found.newest ? `Audit log of the backup: ${soundnessInWords(found)}` : EMPTY;
}

/**
 * What is to be said of the audit log of a store that comes from a backup, whose secret key is the right one. A log that does not hold is
 * no reason to refuse: it may be the only backup that there is, and the log the only thing in it that has suffered.
 */
export async function examineLog(config: Config, store: Store): Promise<string> {
  try {
    return await verified(config, store);
  } catch (error) {
    if (error instanceof PlainError) return warning(error.message);
    throw error;
  }
}
