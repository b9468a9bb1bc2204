import type { Argv, CommandResult, HostQuery } from '../../domain/command.ts';
import { parseScriptArgs, scriptArgv } from '../../domain/command.ts';
import { lastLine } from '../../lib/sanitize.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import { parseScriptError, REPORT_ERROR, ScriptError } from '../script-error.ts';
import type { RebootId } from './reboot-guard.ts';
import { BOOT_ID_FILE, markerName, REPLY_PREFIX, readError, SPARE_MARKER, UPTIME_FILE } from './reboot-guard.ts';

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
const SCRIPT = `exec 2>/dev/null
LC_ALL=C
export LC_ALL
folder=${JOBS_FOLDER}/$1
${REPORT_ERROR}
fail() {
  report_error "$@"
  exit 1
}
read -r boot <${BOOT_ID_FILE} || fail read_boot_id ${readError(BOOT_ID_FILE)}
read -r up rest <${UPTIME_FILE} || fail read_uptime ${readError(UPTIME_FILE)}
[ ! -d ${JOBS_FOLDER} ] || [ -x ${JOBS_FOLDER} ] || exit 1
state=none
code=-
[ ! -d "${SPARE_MARKER}$1" ] || state=blocked
if [ -d "$folder" ]; then
  state=started
  read -r owner <"$folder/owner" && [ "$owner" = blocked ] && state=blocked
  [ ! -e "$folder/code" ] || { read -r code <"$folder/code" && state=failed; }
fi
printf '${REPLY_PREFIX} %s %s %s %s\\n' "$boot" "\${up%%.*}" "$state" "$code"
[ "$state" != failed ] || cat "$folder/out"
exit 0`;

const LINE = new RegExp(`^${REPLY_PREFIX} ([0-9a-f-]{36}) (\\d{1,12}) ([a-z]+) (-|\\d{1,3}|[a-z_]+)\\n`, 'm');

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
  // In latin1 one character is one byte, so `line.length` is a byte offset.
  const found = LINE.exec(bytes.toString('latin1'));
  const [line = '', bootId, uptime, markerWord, code = ''] = found ?? [];
  const marker = MARKERS.find(candidate => candidate === markerWord);
  if (found === null || bootId === undefined || marker === undefined) return parseScriptError(result);
  const output = bytes.subarray(found.index + line.length);
  const problem = marker === 'failed' ? describeFailure(code, output) : '';
  return { bootId, uptimeS: Number(uptime), marker, problem };
}

export const probeReboot = (rebootId: RebootId): HostQuery<RebootProbe | ScriptError> => ({
  argv: scriptArgv(SCRIPT, markerName(rebootId)),
  parse: parseProbe,
});

export const parseProbeArgv = (argv: Argv): string | undefined => parseScriptArgs(SCRIPT, argv)?.[0];
