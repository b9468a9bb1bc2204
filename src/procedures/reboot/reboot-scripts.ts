import type { Argv, CommandResult, HostQuery } from '../../domain/command.ts';
import { parseScriptArgs, scriptArgv } from '../../domain/command.ts';
import { lastLine } from '../../lib/sanitize.ts';
import { shellQuote } from '../../lib/text.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import { LAUNCH_DETACHED, WRITE_WRAPPER } from '../jobs/start-script.ts';
import { CREATE_FOLDER, WRITE_FILE } from '../run-folder.ts';
import { parseScriptError, REPORT_ERROR, ScriptError } from '../script-error.ts';
import type { RebootGuards, RebootId } from './reboot-guard.ts';
import {
  BOOT_GUARD,
  BOOT_ID_FILE,
  markerName,
  parseReply,
  REBOOT_GUARDS,
  REPLY_FUNCTIONS,
  REPLY_PREFIX,
  readError,
  SPARE_MARKER,
  UPTIME_FILE,
} from './reboot-guard.ts';

const MARKERS = ['none', 'blocked', 'started', 'failed'] as const;

export interface RebootProbe {
  readonly bootId: string;
  readonly uptimeS: number;
  /** `started`: a reboot was sent. `blocked`: no reboot can start. `failed`: a reboot was sent and failed. */
  readonly marker: (typeof MARKERS)[number];
  /** One line; `''` unless the reboot failed. */
  readonly problem: string;
}

// A marker without owner can belong to a sender that is about to reboot, so it counts as started. Without root access
// the script cannot see markers and must not report `none`.
const PROBE_SCRIPT = `exec 2>/dev/null
LC_ALL=C
export LC_ALL
folder=${JOBS_FOLDER}/$1
${REPORT_ERROR}
fail() {
  report_error "$@"
  exit 1
}
read -r boot <${BOOT_ID_FILE} || fail read_boot_id ${readError(BOOT_ID_FILE)}
read -r uptime rest <${UPTIME_FILE} || fail read_uptime ${readError(UPTIME_FILE)}
[ ! -d ${JOBS_FOLDER} ] || [ -x ${JOBS_FOLDER} ] || exit 1
state=none
code=-
[ ! -d "${SPARE_MARKER}$1" ] || state=blocked
if [ -d "$folder" ]; then
  state=started
  read -r owner <"$folder/owner" && [ "$owner" = blocked ] && state=blocked
  [ ! -e "$folder/code" ] || { read -r code <"$folder/code" && state=failed; }
fi
printf '${REPLY_PREFIX} %s %s %s %s\\n' "$boot" "\${uptime%%.*}" "$state" "$code"
[ "$state" != failed ] || cat "$folder/out"
exit 0`;

const PROBE_LINE = new RegExp(`^${REPLY_PREFIX} ([0-9a-f-]{36}) (\\d{1,12}) ([a-z]+) (-|\\d{1,3}|[a-z_]+)\\n`, 'm');

/** A Map, not an object: a host can send any word, including `constructor`. */
const GUARD_REASONS: ReadonlyMap<string, string> = new Map([
  ['too_late', 'the reboot command ran after its deadline'],
  ['other_boot', 'the host had already booted again when the reboot command ran'],
  ['marker_exists', 'the reboot was cancelled on the host'],
]);

function describeFailure(code: string, output: Uint8Array): string {
  const quote = lastLine(output);
  if (!/^\d/.test(code))
    return (
      GUARD_REASONS.get(code) ??
      ScriptError.of(code, quote)?.detail ??
      'the host could not read its boot ID or its uptime'
    );
  return `the reboot command exited with ${code}${quote && `: ${quote}`}`;
}

function parseProbe(result: CommandResult): RebootProbe | ScriptError | undefined {
  const bytes = Buffer.from(result.stdout);
  const found = PROBE_LINE.exec(bytes.toString('latin1'));
  const [line = '', bootId, uptime, markerWord, code = ''] = found ?? [];
  const marker = MARKERS.find(candidate => candidate === markerWord);
  if (found === null || bootId === undefined || marker === undefined) return parseScriptError(result);
  const output = bytes.subarray(found.index + line.length);
  const problem = marker === 'failed' ? describeFailure(code, output) : '';
  return { bootId, uptimeS: Number(uptime), marker, problem };
}

export const probeReboot = (rebootId: RebootId): HostQuery<RebootProbe | ScriptError> => ({
  argv: scriptArgv(PROBE_SCRIPT, markerName(rebootId)),
  parse: parseProbe,
});

export const parseProbeArgv = (argv: Argv): string | undefined => parseScriptArgs(PROBE_SCRIPT, argv)?.[0];

/** Delay before the reboot, so that the reply reaches the server. */
export const REPLY_DELAY_S = 1;
/** The reboot can kill its own command, which then looks failed. Within this time the reboot ends the script, too. */
export const FAILURE_GRACE_S = 1;
export const MAX_REBOOT_OUTPUT_BYTES = 4096;

const SAVE_RESULT_FUNCTIONS = `reply() {
  printf '%s\\n' "$1" >"$folder/code.new" && mv "$folder/code.new" "$folder/code"
  exit 0
}
fail() {
  printf '%s\\n' "$2" >"$folder/out"
  reply "$1"
}`;

// Finds the full path, because a busybox shell can prefer its built-in reboot, which works only with busybox init.
const FIND_IN_PATH = `find_in_path() {
  IFS=:
  for directory in $PATH; do
    [ -x "$directory/$1" ] && printf '%s' "$directory/$1" && return
  done
  printf '%s' "$1"
}`;

/** Can be started late or twice: only the process that removes the file continues. */
const detachedRebootScript = (guards: RebootGuards): string => `exec </dev/null >/dev/null 2>&1
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
else set -- "$(find_in_path reboot)"
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
reply "$code"`;

// POSIX shell for dash, bash and busybox; can run several times and concurrently. It takes the marker last, so that
// neither a late command nor a full /run costs a marker.
export const sendRebootScript = (guards: RebootGuards): string => `LC_ALL=C
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
create_folder
text=$(print_wrapper "$@")
write_file "$file" "$text"
take_marker
rm -f "$file.owner"
launch </dev/null >/dev/null 2>&1
printf '${REPLY_PREFIX} started\\n'
exit 0`;

const SEND_REPLIES = ['started', 'other_boot', 'marker_exists', 'too_late'] as const;
/** `started`: this command reboots the host shortly. Any other reply, and an error, means no reboot. */
type RebootReply = (typeof SEND_REPLIES)[number];

export interface RebootOptions {
  readonly deadlineS: number;
  readonly customRebootArgv: Argv | null;
}

const SEND_REBOOT_SCRIPT = sendRebootScript(REBOOT_GUARDS);

export const rebootArgv = (
  { name, bootId, deadline }: { readonly name: string; readonly bootId: string; readonly deadline: string },
  by: Argv | null,
): Argv => scriptArgv(SEND_REBOOT_SCRIPT, name, bootId, deadline, ...(by ?? []));

/** Must be run as root. Whether a reply arrives or not, only `probeReboot` shows the result. */
export function sendRebootQuery(
  rebootId: RebootId,
  { deadlineS, customRebootArgv }: RebootOptions,
): HostQuery<RebootReply | ScriptError> {
  if (!Number.isSafeInteger(deadlineS)) throw new Error(`${deadlineS} is not a whole number of seconds`);
  const { bootId } = rebootId;
  const argv = rebootArgv({ name: markerName(rebootId), bootId, deadline: String(deadlineS) }, customRebootArgv);
  return { argv, parse: result => parseReply(result, SEND_REPLIES) };
}

export interface RebootCommand extends RebootOptions {
  readonly name: string;
  readonly bootId: string;
}

export function parseRebootArgv(argv: Argv): RebootCommand | undefined {
  const [name, bootId, deadlineS, program, ...args] = parseScriptArgs(SEND_REBOOT_SCRIPT, argv) ?? [];
  if (name === undefined || bootId === undefined || deadlineS === undefined) return undefined;
  return {
    name,
    bootId,
    deadlineS: Number(deadlineS),
    customRebootArgv: program === undefined ? null : [program, ...args],
  };
}

const BLOCK_REPLIES = ['blocked', 'started', 'other_boot'] as const;
/** `blocked`: no reboot with this id can start any more. `started`: a reboot was sent before. */
type BlockReply = (typeof BLOCK_REPLIES)[number];

// A marker without owner belongs to a sender that stopped halfway; the script that links the owner file gets the
// marker. An existing owner is reported before anything is written, so that an unwritable /run does not hide it. The
// spare marker is created only if /run cannot be written.
const BLOCK_SCRIPT = `LC_ALL=C
export LC_ALL
boot=$2
folder=${JOBS_FOLDER}/$1
file=$folder.$$
spare=${SPARE_MARKER}$1
${REPLY_FUNCTIONS}
${BOOT_GUARD}
${CREATE_FOLDER}
${WRITE_FILE}
reply_owner() {
  [ -e "$folder/owner" ] && read -r owner <"$folder/owner" && reply "$owner"
}
take_marker() {
  create_folder
  write_file "$file.owner" blocked
  error=$(mkdir -m 0700 "$folder" 2>&1) || [ -d "$folder" ] || fail write_file "$error"
  error=$(ln "$file.owner" "$folder/owner" 2>&1) || [ -e "$folder/owner" ] || fail write_file "$error"
}
check_boot
reply_owner
error=$(take_marker)
reply_owner
if mkdir -m 0700 "$spare" || [ -d "$spare" ]; then
  reply_owner
  reply blocked
fi
printf '%s\\n' "$error"
exit 1`;

/** Must run as root before a host is released to which a reboot command can be on its way. Can be repeated. */
export const blockReboot = (rebootId: RebootId): HostQuery<BlockReply | ScriptError> => ({
  argv: scriptArgv(BLOCK_SCRIPT, markerName(rebootId), rebootId.bootId),
  parse: result => parseReply(result, BLOCK_REPLIES),
});

export interface BlockCommand {
  readonly name: string;
  readonly bootId: string;
}

export function parseBlockArgv(argv: Argv): BlockCommand | undefined {
  const [name, bootId] = parseScriptArgs(BLOCK_SCRIPT, argv) ?? [];
  return name === undefined || bootId === undefined ? undefined : { name, bootId };
}
