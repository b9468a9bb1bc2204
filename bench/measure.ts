import { readFileSync } from 'node:fs';

/** The one in the middle; of none 0. */
export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Of `getconf CLK_TCK`: what the kernel counts CPU in. */
export const TICKS_PER_S = 100;

/** Where the numbers begin in /proc/PID/stat after the name: in user mode, and in the kernel right behind. */
const FIRST_FIELDS = { own: 11, ended_children: 13 };

/** CPU that a process has used, or all of its children that have ended, and theirs. */
export function readCpuSeconds(pid: number | 'self', scope: keyof typeof FIRST_FIELDS): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const first = FIRST_FIELDS[scope];
  return (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_S;
}
