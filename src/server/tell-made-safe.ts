import type { MadeSafe } from '../app/restore/make-safe.ts';
import { someOf } from '../domain/some-of.ts';
import type { Config } from './settings.ts';

/** Soon, and yet not a hundred thousand hosts in the same moment. */
const LONGEST_MS = 60_000;

/** Within which time hosts are checked that come from a backup. */
export const checkWithinMs = ({ check_interval_s }: Config): number =>
  Math.min(LONGEST_MS, check_interval_s * 1000);

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Says to the person at the machine what to look at. */
export function tellMadeSafe({ backupAt, operations, notTakenOut }: MadeSafe): void {
  say(backupAt === '' ? 'The restored state is empty.' : `The restored state is of ${backupAt} (UTC).`);
  for (const { id, kind, cluster, givenUp } of operations)
    say(
      `  ${kind} ${id} of ${cluster} waits for you${givenUp.length > 0 ? `, and has given up ${someOf(givenUp)}` : ''}.`,
    );
  if (operations.length > 0)
    say(
      'What was done since is not known: look at the hosts, then retry or skip them, and resume or cancel.',
    );
  if (notTakenOut.length > 0)
    say(
      `Not taken out of their clusters any more, since they may be back in them: ${someOf(notTakenOut)}. docs/backup.md says what to do.`,
    );
  say('When the service starts, all hosts are checked.');
}
