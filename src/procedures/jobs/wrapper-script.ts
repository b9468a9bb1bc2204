import { shellQuote } from '../../lib/text.ts';
import { JOBS_FOLDER } from './job.ts';

/**
 * When a process was started, in ticks since the boot: with that a process is not taken for another that got its number later. It is
 * field 22; the name of the program, field 2, is in brackets and may itself have brackets and blanks.
 * One that has ended and was not buried by its parent is gone.
 */
export const PROCESS_START_TIME = `started() {
  read -r line <"/proc/$1/stat" || return 1
  set -- \${line##*) }
  [ "$1" != Z ] || return 1
  printf '%s' "\${20}"
}`;

// What runs the command of a job on the host, and notes in the job's folder what comes of it:
//
//     pid        of the wrapper, and when that was started
//     command    the same of the command, which notes it itself, right before it becomes one
//     out.N      pieces of the output, N being the place of its first byte in all of the output, and 10^12
//     drained    there when the output is complete
//     started    when the command was started, by the uptime of the host
//     ended      when it ended, by the same
//     code       how the command ended; written last, by renaming
//     reported   there when the end was reported once; created by the script that reads the state
//
// Output is bounded, since /run is memory: of the oldest pieces those are dropped without which enough is left. What keeps the pipe
// open after the command, as a daemon does that it left behind, is still read from, and not waited for.

/** Added to the places in the names of pieces, so that their order is that of the numbers, and none begins with a zero. */
export const OFFSET_BASE = 10 ** 12;
/** Of the end of the output at least this much is kept, and not much more than half as much again. */
const JOB_OUTPUT_BYTES = 524_288;

// dd takes from a pipe exactly what it writes; the head of busybox takes more and drops it. A piece is complete after so many reads,
// of 512 bytes at most. Where no more can be written, the command must be able to go on all the same.
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
 * A shell that notes which process it is and becomes the command; a wrapper that is killed takes nothing of that along. It writes over
 * what is there, for which there is room.
 */
const EXEC_COMMAND = `${PROCESS_START_TIME}
printf "%s %s\\n" "$$" "$(started $$)" 1<>"$0" && exec "$@"`;

/** Given the name and the command. The place for the code is taken at the beginning: the command may leave no room for it. */
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
