// POSIX shell for dash, bash and busybox. The script waits until the job has ended or printed more output. It prints
// the status line before the output, so that output cannot be confused with it.

import type { Argv } from '../../domain/command.ts';
import { parseScriptArgs, scriptArgv } from '../../domain/command.ts';
import { assertJobName, JOBS_FOLDER } from './job.ts';
import { OFFSET_BASE, PROCESS_START_TIME } from './wrapper-script.ts';

/** Then: state, exit code, total bytes, offset, `first` or `-`, seconds since start and since end (`-`: unknown). */
export const POLL_PREFIX = 'hostler-job';
/** With the status line, below the output limit of a transport. */
export const MAX_BYTES_PER_POLL = 131_072;
const MIN_POLL_WAIT_MS = 200;

/** Maximum time between the creation of the job folder and of its pid file. */
const START_GRACE_S = 5;

// The exit code is read twice, because the wrapper can write it and end between the two checks.
const READ_JOB_STATE = `read_state() {
  state=none code=-
  [ -d "$folder" ] || return
  state=ended
  read -r code <"$folder/code" && return
  code=-
  state=running
  if read -r pid start <"$folder/pid"; then
    [ "$(start_time "$pid")" = "$start" ] && return
    # The wrapper has ended. The command may still run.
    read -r pid start <"$folder/command" && [ "$(start_time "$pid")" = "$start" ] && return
  else
    [ $((now - poll_started_at)) -lt ${START_GRACE_S} ] && return
  fi
  state=ended
  read -r code <"$folder/code" && return
  state=interrupted code=-
}`;

const MEASURE_OUTPUT = `measure_output() {
  total=0
  first=
  for chunk in "$folder"/out.*; do
    [ -e "$chunk" ] || continue
    total=$((\${chunk##*.} - ${OFFSET_BASE}))
    [ -n "$first" ] || first=$total
  done
  [ -n "$first" ] || return
  size=$(wc -c <"$chunk") && total=$((total + size))
}`;

// The wrapper can drop the oldest chunk at any time. The script then prints nothing, not the output after the gap.
const PRINT_OUTPUT = `print_output() {
  for chunk in "$folder"/out.*; do
    begin=$((\${chunk##*.} - ${OFFSET_BASE}))
    size=$(wc -c <"$chunk") && [ "$begin" -le "$from" ] || break
    [ $((begin + size)) -gt "$from" ] || continue
    tail -c +$((from - begin + 1)) "$chunk" || break
    from=$((begin + size))
  done
}`;

// If `reported` cannot be created, the end is reported twice. A job can end after the clock was read.
const MARK_REPORTED = `mark_reported() {
  report=-
  case $state in
  ended | interrupted)
    [ -d "$folder/reported" ] || report=first
    mkdir "$folder/reported"
    ;;
  esac
}
seconds_since() {
  read -r at <"$folder/$1" && printf '%s' "$((at < now ? now - at : 0))" || printf '%s' -
}`;

const SCRIPT = `exec 2>/dev/null
LC_ALL=C
export LC_ALL
folder=${JOBS_FOLDER}/$1
offset=$2
wait=$3
${PROCESS_START_TIME}
${READ_JOB_STATE}
${MEASURE_OUTPUT}
${PRINT_OUTPUT}
${MARK_REPORTED}
read_uptime() {
  read -r now rest </proc/uptime
  now=\${now%%.*}
}
read_uptime
poll_started_at=$now
rounds=0
while :; do
  read_state
  measure_output
  [ "$state" = running ] && [ $((now - poll_started_at)) -lt "$wait" ] || break
  [ "$rounds" -gt 0 ] && [ "$total" -gt "$offset" ] && break
  rounds=$((rounds + 1))
  if [ "$rounds" -gt 10 ]; then sleep 1
  else sleep ${MIN_POLL_WAIT_MS / 1000} || sleep 1
  fi
  read_uptime
done
from=$offset
[ "$from" -ge "\${first:-0}" ] || from=$first
mark_reported
printf '${POLL_PREFIX} %s %s %s %s %s %s %s\\n' "$state" "$code" "$total" "$from" "$report" "$(seconds_since started)" "$(seconds_since ended)"
[ -z "$first" ] || print_output | head -c ${MAX_BYTES_PER_POLL}
exit 0`;

export interface PollRequest {
  readonly name: string;
  readonly offset: number;
  readonly waitS: number;
}

export const pollArgv = ({ name, offset, waitS }: PollRequest): Argv =>
  scriptArgv(SCRIPT, assertJobName(name), String(offset), String(waitS));

export function parsePollArgv(argv: Argv): PollRequest | undefined {
  const [name, offset, waitS] = parseScriptArgs(SCRIPT, argv) ?? [];
  return name !== undefined ? { name, offset: Number(offset), waitS: Number(waitS) } : undefined;
}
