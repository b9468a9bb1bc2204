import { readFileSync } from 'node:fs';

/** The process that something belongs to. Its start tells it from a later one with the same pid. */
export interface Owner {
  readonly pid: number;
  /** In ticks since the boot of the machine. */
  readonly started: string;
}

/** Counted as in proc(5), from the third on: the second is the name of the program, which may hold anything, so brackets are passed. */
function fieldOf(pid: number, field: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field - 3];
  } catch {
    return undefined;
  }
}

/** One that has ended, and that its parent has not asked about, is gone for us. */
const startOf = (pid: number) => (/^[ZX]/.test(fieldOf(pid, 3) ?? 'X') ? undefined : fieldOf(pid, 22));

export const ourselves = (): Owner => ({ pid: process.pid, started: startOf(process.pid) ?? '' });

export function readOwner(file: string): Owner | undefined {
  try {
    const [pid, started = ''] = readFileSync(file, 'utf8').trim().split(' ');
    return { pid: Number(pid), started };
  } catch {
    return undefined;
  }
}

export const isAlive = ({ pid, started }: Owner): boolean => started !== '' && startOf(pid) === started;

export const isChild = ({ pid }: Owner): boolean => fieldOf(pid, 4) === String(process.pid);
