// Whether an upgrade would change anything, by the lists that are there: apt-get simulates it, without a lock. What was broken off
// has a journal of dpkg, and is finished by the upgrade; so is what was unpacked and not configured, which the simulation tells.

import type { Argv, Question } from '../../../domain/command.ts';
import { linesOf } from '../answer-text.ts';
import { JOURNAL } from './locks.ts';

const BROKEN_OFF = 'hostler-broken-off';

const SCRIPT = `LC_ALL=C
export LC_ALL
${JOURNAL}
[ -e "$journal" ] && echo ${BROKEN_OFF} && exit
exec "$@"`;

const CHANGE = /^(?:Inst|Conf|Remv|Purg) /;
const SUMMARY = /^[0-9]+ upgraded, [0-9]+ newly installed, /;

/** `simulation` is how apt-get is called. */
export const pendingBy = (simulation: Argv): Question<boolean> => ({
  argv: ['sh', '-c', SCRIPT, 'sh', ...simulation],
  read: ran => {
    const lines = linesOf(ran);
    if (ran.exitCode !== 0) return undefined;
    if (lines.some(line => line === BROKEN_OFF || CHANGE.test(line))) return true;
    return lines.some(line => SUMMARY.test(line)) ? false : undefined;
  },
});
