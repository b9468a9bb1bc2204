// What is sent to reboot a host: a POSIX shell script for dash, bash and busybox. It looks at the boot and at the time before it takes
// the marker, so that one that comes late takes none. What it needs is written before the marker is taken: a /run without room costs
// no marker. It may be repeated, and by several at once.

import { shellWord } from '../../lib/text/shell-word.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import { LAUNCH, WRITE } from '../jobs/start-script.ts';
import { OPEN_FOLDER, WRITE_FILE } from '../run-folder.ts';
import { ANSWER } from './answer-script.ts';
import { detachedScript } from './detached-script.ts';
import type { RebootGuards } from './guards.ts';
import { ANSWER_BEGIN, SPARE_MARKER } from './mark.ts';

/** Given the name, the boot id, the deadline, and the command, if it is not the usual one. */
export const guardedScript = (guards: RebootGuards): string => `LC_ALL=C
export LC_ALL
name=$1
boot=$2
deadline=$3
folder=${JOBS_FOLDER}/$name
spare=${SPARE_MARKER}$name
file=$folder.$$
wrapper=${shellWord(detachedScript(guards))}
${WRITE}
${LAUNCH}
${ANSWER}
${OPEN_FOLDER}
${WRITE_FILE}
${guards.boot}
${guards.deadline}
${guards.marker}
${guards.spareMarker}
check_boot
check_deadline
check_spare_marker
open_folder
text=$(write "$@")
write_file "$file" "$text"
take_marker
rm -f "$file.word"
launch </dev/null >/dev/null 2>&1
printf '${ANSWER_BEGIN} started\\n'
exit 0`;
