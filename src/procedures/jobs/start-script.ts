// POSIX shell for dash, bash and busybox. The wrapper must not belong to a login session. The script can run several
// times and concurrently: only the wrapper that creates the job folder runs the command.

import type { Argv } from '../../domain/command.ts';
import { parseScriptArgs, scriptArgv } from '../../domain/command.ts';
import { shellQuote } from '../../lib/text.ts';
import { CHECK_SPACE, CREATE_FOLDER, WRITE_FILE } from '../run-folder.ts';
import { REPORT_ERROR } from '../script-error.ts';
import type { Job } from './job.ts';
import { assertJobName, JOBS_FOLDER } from './job.ts';
import { WRAPPER } from './wrapper-script.ts';

/** The job can still start later. */
const EXIT_NOT_STARTED = 75;

// systemd-run would expand `${…}` in arguments and use its own environment, so the file contains both.
export const WRITE_WRAPPER = `q="'"
quote() {
  rest=$1
  printf '%s' "$q"
  while :; do
    case $rest in *$q*) ;; *) break ;; esac
    printf '%s%s' "\${rest%%$q*}" "$q\\\\$q$q"
    rest=\${rest#*$q}
  done
  printf '%s%s ' "$rest" "$q"
}
print_wrapper() {
  printf 'PATH='
  quote "$PATH"
  printf 'HOME='
  quote "\${HOME:-/root}"
  printf 'LC_ALL=C\\nexport PATH HOME LC_ALL\\nset -- '
  for arg; do quote "$arg"; done
  printf '\\n%s\\n' "$wrapper"
}`;

/** Finished jobs are removed after this uptime, because /run is in memory. */
const RETENTION_S = 86_400;

const REMOVE_OLD_JOBS = `read -r now rest </proc/uptime
for ended in ${JOBS_FOLDER}/*/ended; do
  read -r ended_at <"$ended" && [ -e "\${ended%/ended}/code" ] || continue
  [ $((\${now%%.*} - ended_at)) -le ${RETENTION_S} ] || rm -rf "\${ended%/ended}"
done 2>/dev/null`;

// If the unit exists or systemd fails, the job is started without systemd. Starting it both ways is harmless.
export const LAUNCH_DETACHED = `launch() {
  if [ -d /run/systemd/system ] && command -v systemd-run >/dev/null; then
    systemd-run --quiet --collect --no-block --unit="hostler-$name" --property=KillMode=process /bin/sh "$file" && return
  fi
  if command -v setsid >/dev/null; then setsid /bin/sh "$file" &
  else
    (
      trap '' HUP
      exec /bin/sh "$file"
    ) &
  fi
}`;

const SCRIPT = `LC_ALL=C
export LC_ALL
name=$1
folder=${JOBS_FOLDER}/$name
file=$folder.$$
wrapper=${shellQuote(WRAPPER)}
${WRITE_WRAPPER}
${LAUNCH_DETACHED}
${REPORT_ERROR}
fail() {
  rm -f "$file"
  report_error "$@"
  exit 1
}
${CREATE_FOLDER}
${WRITE_FILE}
${CHECK_SPACE}
[ -d "$folder" ] && exit 0
create_folder
${REMOVE_OLD_JOBS}
text=$(print_wrapper "$@")
write_file "$file" "$text"
check_space
launch </dev/null >/dev/null 2>&1
attempts_left=50
until [ -d "$folder" ]; do
  attempts_left=$((attempts_left - 1))
  [ "$attempts_left" -gt 0 ] || {
    printf 'the job did not start\\n' >&2
    exit ${EXIT_NOT_STARTED}
  }
  sleep 0.1 2>/dev/null || {
    sleep 1
    attempts_left=$((attempts_left - 9))
  }
done
exit 0`;

/** Must be run as root. */
export const startArgv = ({ name, argv }: Job): Argv => scriptArgv(SCRIPT, assertJobName(name), ...argv);

export function parseStartArgv(argv: Argv): Job | undefined {
  const [name, program, ...args] = parseScriptArgs(SCRIPT, argv) ?? [];
  return name !== undefined && program !== undefined ? { name, argv: [program, ...args] } : undefined;
}
