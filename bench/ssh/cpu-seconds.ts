import { readFileSync } from 'node:fs';

/** Of `getconf CLK_TCK`: what the kernel counts CPU in. */
export const TICKS_PER_S = 100;

/** Where the numbers begin in /proc/PID/stat after the name: in user mode, and in the kernel right behind. */
const FIRST_FIELDS = { own: 11, 'of ended children': 13 };

/** CPU that a process has used, or all of its children that have ended, and theirs. */
export function cpuSeconds(pid: number | 'self', whose: keyof typeof FIRST_FIELDS): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const first = FIRST_FIELDS[whose];
  return (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_S;
}
