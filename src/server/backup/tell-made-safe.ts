import type { MadeSafe } from '../../app/restore/make-safe.ts';
import { makeSafe } from '../../app/restore/make-safe.ts';
import { AppError } from '../../domain/errors.ts';
import { utcTime } from '../../domain/timestamp.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { someOf } from '../../lib/text/some-of.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import type { Config } from '../configuration/settings.ts';
import { say } from '../say.ts';
import { examineLog } from './examine-log.ts';

/** Soon, and yet not a hundred thousand hosts in the same moment. */
const LONGEST_MS = 60_000;

interface MadeStoreSafe extends MadeSafe {
  /** What was found of the audit log. */
  readonly aboutLog: string;
}

/** Makes a store safe that was brought back from a backup. */
export async function makeStoreSafe(config: Config, store: Store): Promise<MadeStoreSafe> {
  const aboutLog = await examineLog(config, store);
  const checkWithinMs = Math.min(LONGEST_MS, config.check_interval_s * 1000);
  const made = await makeSafe({ store, clock: systemClock }, { checkWithinMs });
  if (made instanceof AppError) throw new PlainError(made.detail);
  return { ...made, aboutLog };
}

/** Says to the person at the machine what to look at. */
export function tellMadeSafe({ backupAt, operations, notTakenOut, aboutLog }: MadeStoreSafe): void {
  say(backupAt === '' ? 'The backup is empty.' : `The backup contains the state of ${utcTime(backupAt)}.`);
  for (const { id, kind, cluster, givenUp } of operations)
    say(
      `  ${kind} ${id} of ${cluster} is paused${givenUp.length > 0 ? `; failed hosts: ${someOf(givenUp)}` : ''}.`,
    );
  if (operations.length > 0)
    say(
      'Changes since the backup are unknown. Check the hosts, retry or skip them, then resume or cancel the operations.',
    );
  if (notTakenOut.length > 0)
    say(
      `Pending cleanup was dropped because these hosts may be cluster members again: ${someOf(notTakenOut)}. See docs/admin/backup-and-restore.md.`,
    );
  say('The server checks all hosts when it starts.');
  say(aboutLog);
}
