import type { Argv, HostQuery } from '../../domain/command.ts';
import { parseScriptArgs, scriptArgv } from '../../domain/command.ts';
import { shellQuote } from '../../lib/text.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import { LAUNCH_DETACHED, WRITE_WRAPPER } from '../jobs/start-script.ts';
import { CREATE_FOLDER, WRITE_FILE } from '../run-folder.ts';
import type { ScriptError } from '../script-error.ts';
import type { RebootGuards, RebootId } from './reboot-guard.ts';
import { markerName, parseReply, REBOOT_GUARDS, REPLY_FUNCTIONS, REPLY_PREFIX, SPARE_MARKER } from './reboot-guard.ts';

/** Delay before the reboot, so that the reply reaches the server. */
export const REPLY_DELAY_S = 1;
/** The reboot can kill its own command, which then looks failed. Within this time the reboot ends the script, too. */
export const FAILURE_GRACE_S = 1;
export const MAX_REBOOT_OUTPUT_BYTES = 4096;

const SAVE_RESULT_FUNCTIONS = `answer() {
  printf '%s\\n' "$1" >"$folder/code.new" && mv "$folder/code.new" "$folder/code"
  exit 0
}
fail() {
  printf '%s\\n' "$2" >"$folder/out"
  answer "$1"
}`;

// Finds the full path, because a busybox shell can prefer its built-in reboot, which works only with busybox init.
const FIND_IN_PATH = `placed() {
  IFS=:
  for place in $PATH; do
    [ -x "$place/$1" ] && printf '%s' "$place/$1" && return
  done
  printf '%s' "$1"
}`;

/**
 * Reboots the host after the sender got its reply. Arguments: marker name, boot id, deadline and an optional command.
 * The script can be started late or twice: only the process that removes the file continues.
 */
export const detachedRebootScript = (guards: RebootGuards): string => `exec </dev/null >/dev/null 2>&1
folder=${JOBS_FOLDER}/$1
spare=${SPARE_MARKER}$1
boot=$2
deadline=$3
shift 3
rm "$0" || exit 0
cd /
umask 022
${SAVE_RESULT_FUNCTIONS}
${FIND_IN_PATH}
${guards.boot}
${guards.deadline}
${guards.spareMarker}
if [ $# -gt 0 ]; then :
elif [ -d /run/systemd/system ] && command -v systemctl; then set -- systemctl reboot
else set -- "$(placed reboot)"
fi
pipe=$folder/pipe
: >"$folder/out" && mkfifo "$pipe" || pipe=/dev/null
sleep ${REPLY_DELAY_S}
check_boot
check_deadline
check_spare_marker
tail -c ${MAX_REBOOT_OUTPUT_BYTES} <"$pipe" >"$folder/out" &
(exec "$@") >"$pipe" 2>&1
code=$?
[ "$code" -ne 0 ] || exit 0
sleep ${FAILURE_GRACE_S}
answer "$code"`;

// Script that reboots a host: POSIX shell for dash, bash and busybox. It checks boot and deadline before it takes the
// marker, so that a late command takes none. It writes all files before it takes the marker, so that a full /run costs
// no marker. It can run several times and concurrently.

/** Arguments: marker name, boot id, deadline and an optional command. */
export const rebootScript = (guards: RebootGuards): string => `LC_ALL=C
export LC_ALL
name=$1
boot=$2
deadline=$3
folder=${JOBS_FOLDER}/$name
spare=${SPARE_MARKER}$name
file=$folder.$$
wrapper=${shellQuote(detachedRebootScript(guards))}
${WRITE_WRAPPER}
${LAUNCH_DETACHED}
${REPLY_FUNCTIONS}
${CREATE_FOLDER}
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
printf '${REPLY_PREFIX} started\\n'
exit 0`;

const REPLIES = ['started', 'other_boot', 'marker_exists', 'too_late'] as const;
/** `started`: this command reboots the host shortly. Any other reply, and an error, means no reboot. */
export type RebootReply = (typeof REPLIES)[number];

export interface RebootOptions {
  readonly deadlineS: number;
  readonly customRebootArgv: Argv | null;
}

const SCRIPT = rebootScript(REBOOT_GUARDS);

export const rebootArgv = (
  { name, bootId, deadline }: { readonly name: string; readonly bootId: string; readonly deadline: string },
  by: Argv | null,
): Argv => scriptArgv(SCRIPT, name, bootId, deadline, ...(by ?? []));

/** Must be run as root. Whether a reply arrives or not, only `probeReboot` shows the result. */
export function rebootQuery(
  rebootId: RebootId,
  { deadlineS, customRebootArgv }: RebootOptions,
): HostQuery<RebootReply | ScriptError> {
  if (!Number.isSafeInteger(deadlineS)) throw new Error(`${deadlineS} is not a whole number of seconds`);
  const { bootId } = rebootId;
  const argv = rebootArgv({ name: markerName(rebootId), bootId, deadline: String(deadlineS) }, customRebootArgv);
  return { argv, parse: result => parseReply(result, REPLIES) };
}

export interface RebootCommand extends RebootOptions {
  readonly name: string;
  readonly bootId: string;
}

export function parseRebootArgv(argv: Argv): RebootCommand | undefined {
  const [name, bootId, deadlineS, program, ...args] = parseScriptArgs(SCRIPT, argv) ?? [];
  if (name === undefined || bootId === undefined || deadlineS === undefined) return undefined;
  return {
    name,
    bootId,
    deadlineS: Number(deadlineS),
    customRebootArgv: program === undefined ? null : [program, ...args],
  };
}
