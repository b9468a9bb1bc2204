// What is sent to reboot a host: a POSIX shell script for dash, bash and busybox. It looks at the boot and at the time before it takes
// the marker, so that one that comes late takes none. What it needs is written before the marker is taken: a /run without room costs
// no marker. It may be repeated, and by several at once.

import { shellWord } from '../../lib/text/shell-word.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import { LAUNCH, WRITE } from '../jobs/start-script.ts';
import { ANSWER, OPEN_FOLDER } from './answer-script.ts';
import { detachedScript } from './detached-script.ts';
import type { RebootGuards } from './guards.ts';
import { ANSWER_BEGIN } from './mark.ts';

/** Given the name, the boot id, the deadline, and the command, if it is not the usual one. */
export const guardedScript = (guards: RebootGuards): string => `LC_ALL=C
name=$1
boot=$2
deadline=$3
folder=${JOBS_FOLDER}/$name
file=$folder.$$
wrapper=${shellWord(detachedScript(guards))}
${WRITE}
${LAUNCH}
${ANSWER}
${guards.boot}
${guards.deadline}
${guards.marker}
check_boot
check_deadline
${OPEN_FOLDER}
text=$(write "$@")
printf '%s\\n' "$text" >"$file" || answer unclear
take_marker
rm -f "$file.word"
launch </dev/null >/dev/null 2>&1
printf '${ANSWER_BEGIN} begun\\n'
exit 0`;
