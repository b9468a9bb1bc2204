// Reboot guard on the host. A server that was suspended can send its command late, and no database lock can stop that,
// so the fence is a marker on the host.
//
// Invariants:
// - At most one reboot per marker, however often, late or concurrently the command is sent.
// - The first owner of a marker is its only owner.
// - On any read or write error the host is not rebooted.
//
// The marker is a folder under /run:
//
//     owner      `started` if a reboot was sent, `blocked` if no reboot can start; linked atomically by the first
//     out        end of the output of the command
//     code       why there is no reboot: exit code of the command or name of the guard; written last, by rename
//
// A boot empties /run, and the marker name contains the boot id, so no marker counts for another boot.
//
// While /run cannot be written, a reboot is cancelled by a spare marker, a folder in /dev. A late command must find it
// even if /run has become writable again. The sender creates its marker and then checks the spare marker; `blockReboot`
// creates the spare marker and then checks the marker. So at least one of the two sees the other.

import type { CommandResult } from '../../domain/command.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import type { ScriptError } from '../script-error.ts';
import { parseScriptError, REPORT_ERROR } from '../script-error.ts';

export interface RebootId {
  readonly operation: string;
  readonly attempt: number;
  /** The boot that the reboot ends. */
  readonly bootId: string;
}

/** Also valid in a systemd unit name. Job names contain no underscore, so they cannot collide with markers. */
const MARKER_NAME = /^reboot_[A-Za-z0-9_-]{1,64}_\d{1,10}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function markerName({ operation, attempt, bootId }: RebootId): string {
  const name = `reboot_${operation}_${attempt}_${bootId}`;
  if (!MARKER_NAME.test(name)) throw new Error(`invalid reboot marker name ${JSON.stringify(name)}`);
  return name;
}

/** A reboot command that arrives later than this does nothing, measured by the uptime of the host. */
export const REBOOT_DEADLINE_S = 60;

/** Only root can create files in /dev. In /dev/shm any user could prevent a reboot. */
export const SPARE_MARKER = '/dev/hostler.';

export const markerPath = (rebootId: RebootId): string => `${JOBS_FOLDER}/${markerName(rebootId)}`;

/** Starts every reply, so that output of a login profile is not parsed as a reply. */
export const REPLY_PREFIX = 'hostler-reboot';

/** Shell functions. A failed check calls `reply`, an error calls `fail`; neither returns. A test disables each one. */
export interface RebootGuards {
  /** `check_boot`: the host is still in the recorded boot. */
  readonly boot: string;
  /** `check_deadline`: the uptime of the host is below the deadline. */
  readonly deadline: string;
  /** `take_marker`: creates the marker, which must not exist. */
  readonly marker: string;
  /** `check_spare_marker`: the check that counts runs after `take_marker`. */
  readonly spareMarker: string;
}

export const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';
export const UPTIME_FILE = '/proc/uptime';

export const readError = (file: string): string => `"$(cat ${file} 2>&1 >/dev/null && echo 'the file is empty')"`;

export const BOOT_GUARD = `check_boot() {
  read -r current <${BOOT_ID_FILE} || fail read_boot_id ${readError(BOOT_ID_FILE)}
  [ "$current" = "$boot" ] || reply other_boot
}`;

/** Uses the uptime of the host, so that clocks of servers do not matter. */
const DEADLINE_GUARD = `check_deadline() {
  read -r uptime rest <${UPTIME_FILE} || fail read_uptime ${readError(UPTIME_FILE)}
  uptime=\${uptime%%.*}
  case $uptime in '' | *[!0-9]*) fail read_uptime "unexpected content: $uptime" ;; esac
  [ "$uptime" -lt "$deadline" ] || reply too_late
}`;

// The folder excludes all other senders. A sender can stop between creating the folder and linking the owner;
// `blockReboot` then links the owner. Without space for the owner the sender removes its folder again. This is safe:
// rmdir removes only an empty folder, and no other script removes it.
const MARKER_GUARD = `take_marker() {
  write_file "$file.owner" started
  error=$(mkdir -m 0700 "$folder" 2>&1) || {
    [ -d "$folder" ] || fail write_file "$error"
    reply marker_exists
  }
  error=$(ln "$file.owner" "$folder/owner" 2>&1) || {
    [ ! -e "$folder/owner" ] || reply marker_exists
    rmdir "$folder"
    fail write_file "$error"
  }
}`;

const SPARE_MARKER_GUARD = `check_spare_marker() {
  [ ! -d "$spare" ] || reply marker_exists
}`;

export const REBOOT_GUARDS: RebootGuards = {
  boot: BOOT_GUARD,
  deadline: DEADLINE_GUARD,
  marker: MARKER_GUARD,
  spareMarker: SPARE_MARKER_GUARD,
};

/** `reply WORD` and `fail ACTION OUTPUT` remove the prepared files, print one line and exit. */
export const REPLY_FUNCTIONS = `${REPORT_ERROR}
reply() {
  rm -f "$file" "$file.owner"
  printf '${REPLY_PREFIX} %s\\n' "$1"
  exit 0
}
fail() {
  rm -f "$file" "$file.owner"
  report_error "$@"
  exit 1
}`;

const LINE = new RegExp(`^${REPLY_PREFIX} ([a-z_]+)\\n`, 'm');

export function parseReply<Reply extends string>(
  result: Pick<CommandResult, 'stdout'>,
  replies: readonly Reply[],
): Reply | ScriptError | undefined {
  const word = LINE.exec(Buffer.from(result.stdout).toString('latin1'))?.[1];
  return replies.find(reply => reply === word) ?? parseScriptError(result);
}
