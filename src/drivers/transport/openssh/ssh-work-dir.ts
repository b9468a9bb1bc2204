// A server that is killed leaves its folders and masters behind: these live on by themselves. Whoever starts next ends and removes them.

import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../../lib/errors.ts';
import type { SshListener } from './ssh-process.ts';
import { SshProcess } from './ssh-process.ts';

const WORK_DIR_NAME = /^hostler-ssh-(\d+)-(\d+)-/;

/** Numbers of processes mean something only in the namespace they are of: a container may share the folder with others. */
function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '') || '0';
  } catch {
    return '0';
  }
}

/** What the name of a folder begins with, so that one can see whose it is. */
export const workDirPrefix = (): string => `hostler-ssh-${ownNamespace()}-${process.pid}-`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(path.join('/proc', pid, 'cmdline'), 'latin1');
  } catch {
    return '';
  }
}

/** Kills each ssh that was told of the folder, and what it started to get to its host. */
function killProcessesOf(folder: string): void {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  const usesFolder = (line: string) => line.startsWith('ssh\0') && line.includes(`${folder}/`);
  for (const pid of pids.filter(each => usesFolder(commandLineOf(each)))) {
    try {
      process.kill(-Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** A folder that is not there is told by whoever needs it. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Ends and removes what servers that are dead have left in the folder. */
export function removeStaleWorkDirs(tempFolder: string): void {
  const namespace = ownNamespace();
  for (const name of listFolder(tempFolder)) {
    const [, folderNamespace, pid] = WORK_DIR_NAME.exec(name) ?? [];
    if (folderNamespace !== namespace || isAlive(Number(pid))) continue;
    const folder = path.join(tempFolder, name);
    try {
      // Anybody can make a folder by that name where all may write.
      if (lstatSync(folder).uid !== process.getuid?.()) continue;
      killProcessesOf(folder);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another server is removing it too.
    }
  }
}

const openWorkDirs = new Set<SshWorkDir>();

/** Processes of their own outlive a server that ends without closing its connections. */
process.on('exit', () => {
  for (const workDir of openWorkDirs) workDir.dispose();
});

/** What one connection has on this machine: a folder that only we can enter, and processes. Once cleared, nothing of it is left. */
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

  /** Starts `ssh`; not after the place was cleared. */
  start(args: readonly string[], listener: SshListener): SshProcess {
    if (this.isDisposed) throw new Error('the place is cleared');
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

  /** May be repeated. What ends by it says so to its listener, a moment later. */
  dispose(): void {
    this.isDisposed = true;
    for (const ssh of this.#processes) ssh.kill();
    this.#remove();
  }

  /** A process may still make a file before it is gone, so this is repeated when it is. */
  #remove(): void {
    if (this.#processes.size === 0) openWorkDirs.delete(this);
    try {
      rmSync(this.#folder, { recursive: true, force: true });
    } catch {
      // Something was put there meanwhile; the end of its process comes here again.
    }
  }
}
