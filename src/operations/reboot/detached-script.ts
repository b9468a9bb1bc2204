import { JOBS_FOLDER } from '../jobs/job.ts';
import type { RebootGuards } from './guards.ts';
import { SPARE_MARKER } from './mark.ts';

/** So that the answer gets back. */
export const MOMENT_S = 1;
/** A command that ends badly may have been broken off by the very reboot that it began; that ends the script too, within this time. */
export const SETTLE_S = 1;
/** Of the output of the command: its end. */
export const KEPT_BYTES = 4096;

const ANSWER = `answer() {
  printf '%s\\n' "$1" >"$folder/code.new" && mv "$folder/code.new" "$folder/code"
  exit 0
}
fail() {
  printf '%s\\n' "$2" >"$folder/out"
  answer "$1"
}`;

// By its path: a busybox shell may prefer a reboot of its own, which no init but its own understands.
const PLACED = `placed() {
  IFS=:
  for place in $PATH; do
    [ -x "$place/$1" ] && printf '%s' "$place/$1" && return
  done
  printf '%s' "$1"
}`;

/**
 * What reboots a host, when whoever sent it has been answered. It is given the name, the boot id, the deadline, and the command, if it
 * is not the usual one. It may have been started late, and twice: whoever removes the file goes on.
 */
export const detachedScript = (guards: RebootGuards): string => `exec </dev/null >/dev/null 2>&1
folder=${JOBS_FOLDER}/$1
spare=${SPARE_MARKER}$1
boot=$2
deadline=$3
shift 3
rm "$0" || exit 0
cd /
umask 022
${ANSWER}
${PLACED}
${guards.boot}
${guards.deadline}
${guards.spareMarker}
if [ $# -gt 0 ]; then :
elif [ -d /run/systemd/system ] && command -v systemctl; then set -- systemctl reboot
else set -- "$(placed reboot)"
fi
pipe=$folder/pipe
: >"$folder/out" && mkfifo "$pipe" || pipe=/dev/null
sleep ${MOMENT_S}
check_boot
check_deadline
check_spare_marker
tail -c ${KEPT_BYTES} <"$pipe" >"$folder/out" &
(exec "$@") >"$pipe" 2>&1
code=$?
[ "$code" -ne 0 ] || exit 0
sleep ${SETTLE_S}
answer "$code"`;
