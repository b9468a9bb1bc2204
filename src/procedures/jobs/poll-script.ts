// Script that polls a job on the host: POSIX shell for dash, bash and busybox. It waits on the host until the job has
// ended or printed more output. Then it prints one status line, followed by the raw output from the requested offset.
// The status line comes first, so output cannot be confused with it.

import type { Argv } from '../../domain/command.ts';
import { parseScriptArgs, scriptArgv } from '../../domain/command.ts';
import { assertJobName, JOBS_FOLDER } from './job.ts';
import { OFFSET_BASE, PROCESS_START_TIME } from './wrapper-script.ts';

/**
 * Starts the status line: state, exit code, total bytes of output, offset of the output that follows, `first` if this
 * poll is the first to report the end, and the seconds since the job started and ended (`-` if unknown).
 */
export const POLL_PREFIX = 'hostler-job';
/** Output per poll. With the status line, it stays below the output limit of a transport. */
export const MAX_BYTES_PER_POLL = 131_072;
/** Minimum wait before the script reports `running`, unless the caller requests no wait. */
export const MIN_POLL_WAIT_MS = 200;

/** The wrapper creates the folder first and its pid file later. This is the maximum time between the two. */
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
    [ "$(started "$pid")" = "$start" ] && return
    # The wrapper has ended. The command may still run.
    read -r pid start <"$folder/command" && [ "$(started "$pid")" = "$start" ] && return
  else
    [ $((now - started_at)) -lt ${START_GRACE_S} ] && return
  fi
  state=ended
  read -r code <"$folder/code" && return
  state=interrupted code=-
}`;

const MEASURE_OUTPUT = `measure_output() {
  total=0
  first=
  for piece in "$folder"/out.*; do
    [ -e "$piece" ] || continue
    total=$((\${piece##*.} - ${OFFSET_BASE}))
    [ -n "$first" ] || first=$total
  done
  [ -n "$first" ] || return
  size=$(wc -c <"$piece") && total=$((total + size))
}`;

// Each piece ends where the next one starts. The wrapper can drop the oldest piece at any time. The script then prints
// nothing instead of the output after the gap.
const PRINT_OUTPUT = `print_output() {
  for piece in "$folder"/out.*; do
    begin=$((\${piece##*.} - ${OFFSET_BASE}))
    size=$(wc -c <"$piece") && [ "$begin" -le "$from" ] || break
    [ $((begin + size)) -gt "$from" ] || continue
    tail -c +$((from - begin + 1)) "$piece" || break
    from=$((begin + size))
  done
}`;

// A job can end after the clock was read, so a time since the end is never below 0. The `reported` folder makes sure
// that the end is counted and traced once. If it cannot be created, the end is reported twice rather than not at all.
const MARK_REPORTED = `mark_reported() {
  report=-
  case $state in
  ended | interrupted)
    [ -d "$folder/reported" ] || report=first
    mkdir "$folder/reported"
    ;;
  esac
}
ago() {
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
started_at=$now
rounds=0
while :; do
  read_state
  measure_output
  [ "$state" = running ] && [ $((now - started_at)) -lt "$wait" ] || break
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
printf '${POLL_PREFIX} %s %s %s %s %s %s %s\\n' "$state" "$code" "$total" "$from" "$report" "$(ago started)" "$(ago ended)"
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
