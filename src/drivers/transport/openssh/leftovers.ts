// A server that is killed leaves its folders and masters behind: these live on by themselves. Whoever starts next ends and removes them.

import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../../lib/errors/error-code.ts';

const NAME = /^hostler-ssh-(\d+)-(\d+)-/;

/** Numbers of processes mean something only in the namespace they are of: a container may share the folder with others. */
function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '') || '0';
  } catch {
    return '0';
  }
}

/** What the name of a folder begins with, so that one can see whose it is. */
export const folderPrefix = (): string => `hostler-ssh-${ownNamespace()}-${process.pid}-`;

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
function endProcessesOf(folder: string): void {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  const isOfFolder = (line: string) => line.startsWith('ssh\0') && line.includes(`${folder}/`);
  for (const pid of pids.filter(each => isOfFolder(commandLineOf(each)))) {
    try {
      process.kill(-Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** A folder that is not there is told by whoever needs it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Ends and removes what servers that are dead have left in the folder. */
export function removeLeftovers(tempFolder: string): void {
  const namespace = ownNamespace();
  for (const name of namesIn(tempFolder)) {
    const [, itsNamespace, pid] = NAME.exec(name) ?? [];
    if (itsNamespace !== namespace || isAlive(Number(pid))) continue;
    const folder = path.join(tempFolder, name);
    try {
      // Anybody can make a folder by that name where all may write.
      if (lstatSync(folder).uid !== process.getuid?.()) continue;
      endProcessesOf(folder);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another server is removing it too.
    }
  }
}
