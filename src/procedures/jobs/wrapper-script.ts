// The wrapper runs the command of a job and writes its state to the job folder:
//
//     pid        pid and start time of the wrapper
//     command    pid and start time of the command, written by the command's shell before exec
//     out.N      chunks of the output; N is the offset of the first byte plus 10^12
//     drained    exists when the output is complete
//     started    start of the command, as uptime of the host
//     ended      end of the command, as uptime of the host
//     code       exit code; written last, by rename
//     reported   exists when the end was reported; created by the poll script
//
// /run is in memory, so the oldest chunks are dropped. The wrapper does not wait for a daemon that keeps the pipe open.

import { shellQuote } from '../../lib/text.ts';
import { JOBS_FOLDER } from './job.ts';

// The start time, field 22 of /proc/PID/stat, distinguishes a process from a later one with the same pid. Field 2 is
// the program name in parentheses and can contain parentheses and spaces. A zombie counts as ended.
export const PROCESS_START_TIME = `start_time() {
  read -r line <"/proc/$1/stat" || return 1
  set -- \${line##*) }
  [ "$1" != Z ] || return 1
  printf '%s' "\${20}"
}`;

/** Added to the offsets in file names, so that they sort by number and do not start with 0. */
export const OFFSET_BASE = 10 ** 12;
/** The kept end of the output is at least this long, and at most about 1.5 times. */
const JOB_OUTPUT_BYTES = 524_288;

// dd reads from a pipe exactly what it writes; head of busybox reads more and drops it. A chunk consists of up to 512
// reads of up to 512 bytes. If a write fails, cat drains the pipe, so that the command does not block.
const READ_OUTPUT = `read_output() {
  next=${OFFSET_BASE}
  while :; do
    dd bs=512 count=512 of="$folder/out.$next" || {
      cat >/dev/null
      break
    }
    size=$(wc -c <"$folder/out.$next")
    [ "$size" -gt 0 ] || break
    next=$((next + size))
    previous=
    for chunk in "$folder"/out.*; do
      [ -z "$previous" ] || [ "\${chunk##*.}" -gt $((next - ${JOB_OUTPUT_BYTES})) ] || rm -f "$previous"
      previous=$chunk
    done
  done
  : >"$folder/drained"
}`;

/** Writes its own pid, so that it is known even if the wrapper is killed. Overwriting a file needs no free space. */
const EXEC_COMMAND = `${PROCESS_START_TIME}
printf "%s %s\\n" "$$" "$(start_time $$)" 1<>"$0" && exec "$@"`;

/** Creates the file for the exit code before the command runs, because the command can fill the file system. */
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
  printf '%s %s\\n' "$$" "$(start_time $$)" >"$folder/pid.new" && mv "$folder/pid.new" "$folder/pid" &&
    printf '0000\\n' >"$folder/code.new" && printf '0 0\\n' >"$folder/command" && mkfifo "$folder/pipe"
}
save_uptime() {
  read -r now rest </proc/uptime && printf '%s\\n' "\${now%%.*}" >"$folder/$1"
}
prepare || {
  rm -rf "$folder"
  exit 1
}
read_output <"$folder/pipe" &
save_uptime started
(exec /bin/sh -c ${shellQuote(EXEC_COMMAND)} "$folder/command" "$@") >"$folder/pipe" 2>&1
code=$?
save_uptime ended
attempts_left=20
until [ -e "$folder/drained" ] || [ "$attempts_left" -le 0 ]; do
  attempts_left=$((attempts_left - 1))
  sleep 0.1 || {
    sleep 1
    attempts_left=$((attempts_left - 9))
  }
done
printf '%s\\n' "$code" 1<>"$folder/code.new"
mv "$folder/code.new" "$folder/code"`;
