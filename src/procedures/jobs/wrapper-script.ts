import { shellQuote } from '../../lib/text.ts';
import { JOBS_FOLDER } from './job.ts';

/**
 * Prints the start time of a process in clock ticks since boot, which distinguishes it from a later process with the
 * same pid. It is field 22 of /proc/PID/stat. Field 2 is the program name in parentheses and can contain parentheses
 * and spaces. A zombie counts as ended.
 */
export const PROCESS_START_TIME = `started() {
  read -r line <"/proc/$1/stat" || return 1
  set -- \${line##*) }
  [ "$1" != Z ] || return 1
  printf '%s' "\${20}"
}`;

// The wrapper runs the command of a job and writes its state to the job folder:
//
//     pid        pid and start time of the wrapper
//     command    pid and start time of the command, written by the command's shell before exec
//     out.N      pieces of the output; N is the offset of the first byte plus 10^12
//     drained    exists when the output is complete
//     started    start of the command, as uptime of the host
//     ended      end of the command, as uptime of the host
//     code       exit code; written last, by rename
//     reported   exists when the end was reported; created by the poll script
//
// The output is limited, because /run is in memory: the oldest pieces are dropped. Output of a daemon that keeps the
// pipe open after the command has ended is still read, but the wrapper does not wait for it.

/** Added to the offsets in file names, so that they sort by number and do not start with 0. */
export const OFFSET_BASE = 10 ** 12;
/** Minimum length of the kept end of the output. The actual length is at most about 1.5 times as much. */
const JOB_OUTPUT_BYTES = 524_288;

// dd reads from a pipe exactly what it writes; head of busybox reads more and drops it. A piece consists of up to 512
// reads of up to 512 bytes. If a write fails, cat drains the pipe, so that the command does not block.
const READ_OUTPUT = `read_output() {
  at=${OFFSET_BASE}
  while :; do
    dd bs=512 count=512 of="$folder/out.$at" || {
      cat >/dev/null
      break
    }
    size=$(wc -c <"$folder/out.$at")
    [ "$size" -gt 0 ] || break
    at=$((at + size))
    before=
    for piece in "$folder"/out.*; do
      [ -z "$before" ] || [ "\${piece##*.}" -gt $((at - ${JOB_OUTPUT_BYTES})) ] || rm -f "$before"
      before=$piece
    done
  done
  : >"$folder/drained"
}`;

/**
 * A shell that writes its own pid and then executes the command, so that the pid is known even if the wrapper is
 * killed. It overwrites an existing file, which needs no free space.
 */
const EXEC_COMMAND = `${PROCESS_START_TIME}
printf "%s %s\\n" "$$" "$(started $$)" 1<>"$0" && exec "$@"`;

/**
 * Arguments: job name and command. The file for the exit code is created first, because the command can fill the file
 * system.
 */
export const WRAPPER = `exec </dev/null >/dev/null 2>&1
folder=${JOBS_FOLDER}/$1
shift
rm -f "$0"
mkdir -m 0700 "$folder" || exit 0
cd /
umask 022
${PROCESS_START_TIME}
${READ_OUTPUT}
prepare() {
  printf '%s %s\\n' "$$" "$(started $$)" >"$folder/pid.new" && mv "$folder/pid.new" "$folder/pid" &&
    printf '0000\\n' >"$folder/code.new" && printf '0 0\\n' >"$folder/command" && mkfifo "$folder/pipe"
}
note_uptime() {
  read -r now rest </proc/uptime && printf '%s\\n' "\${now%%.*}" >"$folder/$1"
}
prepare || {
  rm -rf "$folder"
  exit 1
}
read_output <"$folder/pipe" &
note_uptime started
(exec /bin/sh -c ${shellQuote(EXEC_COMMAND)} "$folder/command" "$@") >"$folder/pipe" 2>&1
code=$?
note_uptime ended
left=20
until [ -e "$folder/drained" ] || [ "$left" -le 0 ]; do
  left=$((left - 1))
  sleep 0.1 || {
    sleep 1
    left=$((left - 9))
  }
done
printf '%s\\n' "$code" 1<>"$folder/code.new"
mv "$folder/code.new" "$folder/code"`;
