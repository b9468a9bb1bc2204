import { readdirSync, readFileSync } from 'node:fs';

/** What `/proc` has of a process that may end at any moment. */
function read(pid: string, name: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

export interface Named {
  readonly pid: number;
  readonly commandLine: string;
  readonly environment: string;
}

/** The processes of this machine with the text in their command line. */
export function processesNaming(text: string): Named[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return pids
    .map(pid => ({ pid: Number(pid), commandLine: read(pid, 'cmdline'), environment: read(pid, 'environ') }))
    .filter(({ commandLine }) => commandLine.includes(text));
}
