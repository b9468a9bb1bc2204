// Work directories and processes of ssh connections. A killed server leaves them behind; the next server that starts
// removes them.

import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errorCode, tryOr } from '../../../lib/errors.ts';
import type { SshListener } from './ssh-process.ts';
import { killGroup, SshProcess } from './ssh-process.ts';

const WORK_DIR_NAME = /^hostler-ssh-(\d+)-(\d+)-/;

/** Process IDs are valid only in one PID namespace, and containers can share the temporary directory. */
const ownNamespace = (): string => tryOr('', () => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')) || '0';

export const workDirPrefix = (): string => `hostler-ssh-${ownNamespace()}-${process.pid}-`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Kills all ssh processes that use the directory, and their child processes. */
function killProcessesOf(folder: string): void {
  const usesFolder = (pid: string) => {
    const line = tryOr('', () => readFileSync(path.join('/proc', pid, 'cmdline'), 'latin1'));
    return line.startsWith('ssh\0') && line.includes(`${folder}/`);
  };
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  for (const pid of pids.filter(usesFolder)) killGroup(Number(pid));
}

/** Removes the work directories of dead servers and kills their processes. */
export function removeStaleWorkDirs(tempFolder: string): void {
  const namespace = ownNamespace();
  // A missing directory is reported when it is used.
  for (const name of tryOr([], () => readdirSync(tempFolder))) {
    const [, folderNamespace, pid] = WORK_DIR_NAME.exec(name) ?? [];
    if (folderNamespace !== namespace || isAlive(Number(pid))) continue;
    const folder = path.join(tempFolder, name);
    try {
      // Other users can create a directory with this name in a shared temporary directory.
      if (lstatSync(folder).uid !== process.getuid?.()) continue;
      killProcessesOf(folder);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another server removes it at the same time.
    }
  }
}

const openWorkDirs = new Set<SshWorkDir>();

/** Detached ssh processes would survive a server that exits without closing its connections. */
process.on('exit', () => {
  for (const workDir of openWorkDirs) workDir.dispose();
});

export class SshWorkDir {
  readonly #folder: string;
  readonly #processes = new Set<SshProcess>();
  isDisposed = false;

  constructor(tempFolder: string) {
    this.#folder = mkdtempSync(path.join(tempFolder, workDirPrefix()));
    openWorkDirs.add(this);
  }

  path(name: string): string {
    return path.join(this.#folder, name);
  }

  start(args: readonly string[], listener: SshListener): SshProcess {
    if (this.isDisposed) throw new Error('the work directory is disposed');
    const ssh = new SshProcess(args, {
      ...listener,
      onExit: exit => {
        this.#processes.delete(ssh);
        if (this.isDisposed) this.#remove();
        listener.onExit(exit);
      },
    });
    this.#processes.add(ssh);
    return ssh;
  }

  /** Idempotent. Listeners are called later, when the processes have exited. */
  dispose(): void {
    this.isDisposed = true;
    for (const ssh of this.#processes) ssh.kill();
    this.#remove();
  }

  /** A process can still create a file before it exits, so this also runs after each exit. */
  #remove(): void {
    if (this.#processes.size === 0) openWorkDirs.delete(this);
    // Fails if a process has created a file meanwhile; its exit calls this again.
    tryOr(undefined, () => rmSync(this.#folder, { recursive: true, force: true }));
  }
}
