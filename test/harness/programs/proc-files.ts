import { readdirSync, readFileSync } from 'node:fs';

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // The process has ended.
    return '';
  }
};

export const listChildren = (pid: number): number[] =>
  readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

export const listDescendants = (pid: number): number[] =>
  listChildren(pid).flatMap(child => [child, ...listDescendants(child)]);

export const readProcessName = (pid: number): string => readText(`/proc/${pid}/comm`);

/** Ignores processes that have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended.
    }
}

/** Identifies a process. The start time distinguishes it from a later process with the same PID. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks since the boot of the machine. */
  readonly started: string;
}

/**
 * Field number of proc(5), at least 3. The second field is the program name, which may contain brackets, so
 * parsing starts after the last bracket.
 */
function readStatField(pid: number, field: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field - 3];
  } catch {
    return undefined;
  }
}

/** A zombie process counts as ended. */
const readStartTime = (pid: number) =>
  /^[ZX]/.test(readStatField(pid, 3) ?? 'X') ? undefined : readStatField(pid, 22);

export const currentProcess = (): ProcessIdentity => ({
  pid: process.pid,
  started: readStartTime(process.pid) ?? '',
});

export function readProcessIdentity(file: string): ProcessIdentity | undefined {
  try {
    const [pid, started = ''] = readFileSync(file, 'utf8').trim().split(' ');
    return { pid: Number(pid), started };
  } catch {
    return undefined;
  }
}

export const isAlive = ({ pid, started }: ProcessIdentity): boolean => started !== '' && readStartTime(pid) === started;

export const isChild = ({ pid }: ProcessIdentity): boolean => readStatField(pid, 4) === String(process.pid);

/** Offset for a time namespace, so that a new host has an uptime of zero. */
export const machineUptimeS = (): number => Math.floor(Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]));

/** Empty if the process has ended. */
function readProcFile(pid: string, name: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

export interface FoundProcess {
  readonly pid: number;
  readonly commandLine: string;
  readonly environment: string;
}

export const listPids = (): readonly string[] => readdirSync('/proc').filter(name => /^\d+$/.test(name));

/** Processes whose command line contains the text. */
export function findProcesses(text: string, excludedPids: ReadonlySet<string> = new Set()): FoundProcess[] {
  return listPids()
    .filter(pid => !excludedPids.has(pid))
    .map(pid => ({
      pid: Number(pid),
      commandLine: readProcFile(pid, 'cmdline'),
      environment: readProcFile(pid, 'environ'),
    }))
    .filter(({ commandLine }) => commandLine.includes(text));
}
