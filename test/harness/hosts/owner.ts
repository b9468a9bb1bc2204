import { readFileSync } from 'node:fs';

/** The process that something belongs to. Its start tells it from a later one with the same pid. */
export interface Owner {
  readonly pid: number;
  /** In ticks since the boot of the machine. */
  readonly started: string;
}

/** The name of the program, second in the line, may hold anything; so it is read from behind the last bracket. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

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
