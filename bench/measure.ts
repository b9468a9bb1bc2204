import { readFileSync } from 'node:fs';

/** Returns 0 for an empty list. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** `getconf CLK_TCK`: the unit of CPU time in /proc. */
export const TICKS_PER_S = 100;

/** Index of the user time in /proc/PID/stat after the process name. The system time follows. */
const FIRST_FIELDS = { own: 11, ended_children: 13 };

/** CPU time of a process, or of all its ended children and their descendants. */
export function readCpuSeconds(pid: number | 'self', scope: keyof typeof FIRST_FIELDS): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const first = FIRST_FIELDS[scope];
  return (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_S;
}
