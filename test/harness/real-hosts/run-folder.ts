// Resources of the hosts of one process: a folder, and by its number an address range, a bridge and cgroups.
// The folder names its process. Before a process claims a folder, it removes the folders and resources of
// processes that have ended, so a killed run leaves nothing beyond the next run.

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProcessIdentity } from '../programs/proc-files.ts';
import { currentProcess, isAlive, readProcessIdentity } from '../programs/proc-files.ts';
import { removeTree, runTool, tryTool } from '../programs/run-tool.ts';
import { CACHE_FOLDER, withLock } from './build-cache.ts';
import { removeCgroups } from './cgroups.ts';

/** On a disk, because hosts write systems there; writable only by root. */
export const RUNS = path.join(CACHE_FOLDER, 'runs');
const LOCK = path.join(RUNS, 'lock');

/** Maximum number of processes with hosts. */
const MAX_RUNS = 256;

export interface RunFolder {
  readonly folder: string;
  /** 0 to 255, unique on this machine. */
  readonly number: number;
}

/** Interface names have at most 15 characters. */
const bridgeName = (run: number): string => `hostler${run}`;
export const cgroupName = (run: number): string => `hostler-tests-${run}`;

const hasBridge = (run: number) => existsSync(`/sys/class/net/${bridgeName(run)}`);
const runPath = (run: number) => path.join(RUNS, String(run));

async function removeRun(run: number): Promise<void> {
  await removeCgroups(cgroupName(run));
  if (hasBridge(run)) await tryTool(['ip', 'link', 'delete', bridgeName(run)]);
  await removeTree(runPath(run));
}

const isDead = (owner: ProcessIdentity) => !isAlive(owner);

async function removeRuns(shouldRemove: (owner: ProcessIdentity) => boolean): Promise<number[]> {
  const runs = readdirSync(RUNS).filter(name => /^\d+$/.test(name));
  const removed = runs.map(Number).filter(run => {
    const owner = readProcessIdentity(path.join(runPath(run), 'owner'));
    return owner === undefined || shouldRemove(owner);
  });
  for (const run of removed) await removeRun(run);
  return removed;
}

/** Removes the runs of ended processes; returns their numbers. */
export const removeLeftovers = (shouldRemove = isDead): Promise<number[]> =>
  withLock(LOCK, () => removeRuns(shouldRemove));

let claimedRun: RunFolder | undefined;

const claim = (): Promise<RunFolder> =>
  withLock(LOCK, async () => {
    await removeRuns(isDead);
    for (let offset = 0; offset < MAX_RUNS; offset++) {
      const number = (process.pid + offset) % MAX_RUNS;
      const folder = runPath(number);
      if (existsSync(folder) || hasBridge(number)) continue;
      mkdirSync(folder, { mode: 0o755 });
      const { pid, started } = currentProcess();
      writeFileSync(path.join(folder, 'owner'), `${pid} ${started}\n`);
      claimedRun = { folder, number };
      return claimedRun;
    }
    throw new Error(`${MAX_RUNS} processes already have test hosts`);
  });

let claiming: Promise<RunFolder> | undefined;

/** Claimed at the first call, until the process ends. */
export function runFolder(): Promise<RunFolder> {
  claiming ??= claim();
  return claiming;
}

// Removing a bridge is asynchronous, so an exiting process leaves it to the next run.
process.once('exit', () => {
  if (claimedRun !== undefined && !hasBridge(claimedRun.number))
    rmSync(claimedRun.folder, { recursive: true, force: true });
});

export interface Bridge {
  readonly name: string;
  /** Address of this machine on the bridge. */
  readonly address: string;
  hostAddress(index: number): string;
}

async function createBridge(): Promise<Bridge> {
  const { number } = await runFolder();
  const name = bridgeName(number);
  const hostAddress = (index: number) => `10.213.${number}.${index + 1}`;
  await runTool(['ip', 'link', 'add', name, 'type', 'bridge']);
  await runTool(['ip', 'address', 'add', `${hostAddress(0)}/24`, 'dev', name]);
  await runTool(['ip', 'link', 'set', name, 'up']);
  return { name, address: hostAddress(0), hostAddress };
}

let bridge: Promise<Bridge> | undefined;

/** Bridge of this run. Nothing is forwarded: hosts reach only this machine and each other. */
export function runBridge(): Promise<Bridge> {
  bridge ??= createBridge();
  return bridge;
}
