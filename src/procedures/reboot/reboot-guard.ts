// The guard on a host against a second reboot. A server that was frozen wakes up late and sends what it was about to send: no lock in
// a database stops that, so the fence is on the host. What must hold: under one mark a host is rebooted at most once, whatever is
// sent, how often, by how many, how late; whoever has taken the mark first is the only one to have it; what cannot be read or written
// reboots nothing. All that is known is in a folder under /run, the marker:
//
//     owner      `started` where a reboot was sent, `blocked` where none may come; linked there whole, by the first
//     out        the end of what the command said
//     code       why there is no reboot: how the command ended, or which guard refused it; written last, by renaming
//
// A boot empties /run, and the boot id is in the name besides: no marker counts for another boot.
//
// While /run cannot be written, a reboot is called off by a spare marker, a folder in /dev: a command that comes late must find it even
// if /run has become writable again. The sender creates its marker and checks the spare marker before it reboots; takeMark creates
// the spare marker and then checks the marker. So at least one of the two sees the other.

import type { Argv, CommandResult } from '../../domain/command.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import type { ScriptError } from '../script-error.ts';
import { parseScriptError, REPORT_ERROR } from '../script-error.ts';

/** What one reboot is known by. A retry is another attempt. */
export interface RebootId {
  readonly operation: string;
  readonly attempt: number;
  /** Of the boot that the reboot is to end. */
  readonly bootId: string;
}

/** Also good for a unit of systemd. A job has no underscore in its name, so none is taken for a marker. */
const MARKER_NAME = /^reboot_[A-Za-z0-9_-]{1,64}_\d{1,10}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function markerName({ operation, attempt, bootId }: RebootId): string {
  const name = `reboot_${operation}_${attempt}_${bootId}`;
  if (!MARKER_NAME.test(name)) throw new Error(`invalid reboot marker name ${JSON.stringify(name)}`);
  return name;
}

/** A command that comes later than this after it was sent does nothing, by the host's own uptime. */
export const REBOOT_DEADLINE_S = 60;

/**
 * The path of the spare marker, without the name of the mark. /dev is a file system of its own, in memory, and only root can create
 * files there: in /dev/shm any user could prevent a reboot.
 */
export const SPARE_MARKER = '/dev/hostler.';

/** The folder on the host. */
export const markerPath = (rebootId: RebootId): string => `${JOBS_FOLDER}/${markerName(rebootId)}`;

/** What every answer of the host begins with: noise of a profile is not taken for one. */
export const REPLY_PREFIX = 'hostler-reboot';

/**
 * The checks that a reboot has to pass, each a shell function. They use `$folder`, `$file`, `$spare`, `$boot` and `$deadline`. A check
 * that does not pass calls `answer`, a check that cannot be made calls `fail`; neither returns. Each is a value of its own, so that a
 * test can break one and see that it is missed.
 */
export interface RebootGuards {
  /** `check_boot`: the boot is still the one that was recorded. */
  readonly boot: string;
  /** `check_deadline`: the host has not been up for longer than the command may be under way. */
  readonly deadline: string;
  /** `take_marker`: nobody has had the marker before. */
  readonly marker: string;
  /** `check_spare_marker`: the reboot was not called off while /run could not be written. It counts after the marker was taken. */
  readonly spareMarker: string;
}

export const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';
export const UPTIME_FILE = '/proc/uptime';

/** What cat prints about a file that the shell could not read. */
export const readError = (file: string): string =>
  `"$(cat ${file} 2>&1 >/dev/null && echo 'the file is empty')"`;

export const BOOT_GUARD = `check_boot() {
  read -r current <${BOOT_ID_FILE} || fail read_boot_id ${readError(BOOT_ID_FILE)}
  [ "$current" = "$boot" ] || answer other_boot
}`;

/** In whole seconds of the host's own clock, which no server has to agree with. */
const DEADLINE_GUARD = `check_deadline() {
  read -r up rest <${UPTIME_FILE} || fail read_uptime ${readError(UPTIME_FILE)}
  up=\${up%%.*}
  case $up in '' | *[!0-9]*) fail read_uptime "unexpected content: $up" ;; esac
  [ "$up" -lt "$deadline" ] || answer too_late
}`;

// The folder keeps out all other senders. A sender can stop between folder and word, for a long time or for good; then takeMark
// creates the word. Without space for the word the sender removes its folder again, which costs no marker: rmdir removes only an
// empty folder, and no other script removes it.
const MARKER_GUARD = `take_marker() {
  write_file "$file.word" started
  error=$(mkdir -m 0700 "$folder" 2>&1) || {
    [ -d "$folder" ] || fail write_file "$error"
    answer marker_exists
  }
  error=$(ln "$file.word" "$folder/owner" 2>&1) || {
    [ ! -e "$folder/owner" ] || answer marker_exists
    rmdir "$folder"
    fail write_file "$error"
  }
}`;

const SPARE_MARKER_GUARD = `check_spare_marker() {
  [ ! -d "$spare" ] || answer marker_exists
}`;

export const REBOOT_GUARDS: RebootGuards = {
  boot: BOOT_GUARD,
  deadline: DEADLINE_GUARD,
  marker: MARKER_GUARD,
  spareMarker: SPARE_MARKER_GUARD,
};

/** `answer WORD` and `fail ACTION OUTPUT`: each removes the prepared files, prints one line and exits. */
export const REPLY_FUNCTIONS = `${REPORT_ERROR}
answer() {
  rm -f "$file" "$file.word"
  printf '${REPLY_PREFIX} %s\\n' "$1"
  exit 0
}
fail() {
  rm -f "$file" "$file.word"
  report_error "$@"
  exit 1
}`;

const LINE = new RegExp(`^${REPLY_PREFIX} ([a-z_]+)\\n`, 'm');

/** The word that a script answered, if it is one of these, or the error that it reported. */
export function parseReply<Reply extends string>(
  result: Pick<CommandResult, 'stdout'>,
  replies: readonly Reply[],
): Reply | ScriptError | undefined {
  const word = LINE.exec(Buffer.from(result.stdout).toString('latin1'))?.[1];
  return replies.find(reply => reply === word) ?? parseScriptError(result);
}

/** What a script is given, by a command that begins like this; `undefined` for every other command. */
export const parseScriptArgs = (prefix: Argv, argv: Argv): readonly string[] | undefined =>
  prefix.every((word, index) => word === argv[index]) ? argv.slice(prefix.length) : undefined;
