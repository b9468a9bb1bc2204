// What looks at a job on the host: a POSIX shell script for dash, bash and busybox. It waits there until the job has ended or has
// said more, so that whoever asks needs no clock; then it answers one line, and after it the output as it is, from where the caller
// has read so far. Nothing in the output can be taken for the line, which comes first.

import type { Argv } from '../../domain/command.ts';
import { assertJobName, JOBS_FOLDER } from './job.ts';
import { OFFSET_BASE, PROCESS_START_TIME } from './wrapper-script.ts';

/**
 * The line begins with it, and says: state, code, bytes of output so far, place of the first byte that follows; then `first` for
 * whoever sees the end first, and how many seconds ago the job was begun and ended, as far as that is known.
 */
export const POLL_PREFIX = 'hostler-job';
/** Of the output that one answer brings; with the line it is less than a transport keeps. */
export const MAX_BYTES_PER_POLL = 131_072;
/** No answer that says `running` comes sooner, unless the caller does not want to wait. */
export const MIN_POLL_WAIT_MS = 200;

/** The wrapper makes the folder first, and then says who it is: between the two it may take so many seconds. */
const START_GRACE_S = 5;

// The code is looked for once more: a wrapper may have written it and ended since it was looked for.
const READ_JOB_STATE = `judge() {
  state=none code=-
  [ -d "$folder" ] || return
  state=ended
  read -r code <"$folder/code" && return
  code=-
  state=running
  if read -r pid start <"$folder/pid"; then
    [ "$(started "$pid")" = "$start" ] && return
    # The wrapper is gone, and the command may go on without it.
    read -r pid start <"$folder/command" && [ "$(started "$pid")" = "$start" ] && return
  else
    [ $((now - begun)) -lt ${START_GRACE_S} ] && return
  fi
  state=ended
  read -r code <"$folder/code" && return
  state=interrupted code=-
}`;

const MEASURE_OUTPUT = `measure() {
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

// Each piece ends where the next begins. The oldest may be dropped at any moment: then nothing is told, rather than what comes after
// the gap.
const PRINT_OUTPUT = `tell() {
  for piece in "$folder"/out.*; do
    begin=$((\${piece##*.} - ${OFFSET_BASE}))
    size=$(wc -c <"$piece") && [ "$begin" -le "$from" ] || break
    [ $((begin + size)) -gt "$from" ] || continue
    tail -c +$((from - begin + 1)) "$piece" || break
    from=$((begin + size))
  done
}`;

// A job can end after the clock was read and before it is judged: then its end is 0 seconds ago, not -1.
// Who sees the end leaves a word of it, so that it is counted and traced once, however often it is read. Where that cannot be
// written it is told twice, rather than not at all.
const MARK_REPORTED = `witness() {
  sight=-
  case $state in
  ended | interrupted)
    [ -d "$folder/reported" ] || sight=first
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
tick() {
  read -r now rest </proc/uptime
  now=\${now%%.*}
}
tick
begun=$now
rounds=0
while :; do
  judge
  measure
  [ "$state" = running ] && [ $((now - begun)) -lt "$wait" ] || break
  [ "$rounds" -gt 0 ] && [ "$total" -gt "$offset" ] && break
  rounds=$((rounds + 1))
  if [ "$rounds" -gt 10 ]; then sleep 1
  else sleep ${MIN_POLL_WAIT_MS / 1000} || sleep 1
  fi
  tick
done
from=$offset
[ "$from" -ge "\${first:-0}" ] || from=$first
witness
printf '${POLL_PREFIX} %s %s %s %s %s %s %s\\n' "$state" "$code" "$total" "$from" "$sight" "$(ago started)" "$(ago ended)"
[ -z "$first" ] || tell | head -c ${MAX_BYTES_PER_POLL}
exit 0`;

const PREFIX: Argv = ['sh', '-c', SCRIPT, 'sh'];

export interface PollRequest {
  readonly name: string;
  /** How much of the output is known already. */
  readonly offset: number;
  /** How long it may wait for something to happen. */
  readonly waitS: number;
}

export const pollArgv = ({ name, offset, waitS }: PollRequest): Argv => [
  ...PREFIX,
  assertJobName(name),
  String(offset),
  String(waitS),
];

/** What such a command asks; `undefined` for every other command. */
export function parsePollArgv(argv: Argv): PollRequest | undefined {
  const [name, offset, waitS] = argv.slice(PREFIX.length);
  const isPoll = PREFIX.every((word, index) => word === argv[index]);
  return isPoll && name !== undefined ? { name, offset: Number(offset), waitS: Number(waitS) } : undefined;
}
