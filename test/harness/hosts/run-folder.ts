// What the hosts of one process have to themselves: a folder, and with its number a range of addresses, a bridge and control groups.
// The folder names the process that it belongs to. Whoever needs a folder first removes those of processes that are gone, with all that
// goes by their numbers; so a run that was killed leaves nothing for longer than until the next.

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CACHE } from './cached.ts';
import { removeCgroups } from './cgroups.ts';
import { withLock } from './lock.ts';
import type { Owner } from './owner.ts';
import { isAlive, ourselves, readOwner } from './owner.ts';
import { removeTree } from './remove-tree.ts';
import { tryTool } from './run-tool.ts';

/** On a disk, since systems are written there, and where only root can. */
export const RUNS = path.join(CACHE, 'runs');
const LOCK = path.join(RUNS, 'lock');

/** As many processes may have hosts at once. */
const MOST_RUNS = 256;

export interface RunFolder {
  readonly folder: string;
  /** From 0 to 255; nobody else on this machine has it. */
  readonly number: number;
}

/** Short, since the kernel allows a name of an interface fifteen characters. */
export const bridgeOf = (run: number): string => `hostler${run}`;
export const cgroupOf = (run: number): string => `hostler-tests-${run}`;

const hasBridge = (run: number) => existsSync(`/sys/class/net/${bridgeOf(run)}`);
const folderOf = (run: number) => path.join(RUNS, String(run));

async function removeRun(run: number): Promise<void> {
  await removeCgroups(cgroupOf(run));
  if (hasBridge(run)) await tryTool(['ip', 'link', 'delete', bridgeOf(run)]);
  await removeTree(folderOf(run));
}

const isDead = (owner: Owner) => !isAlive(owner);

async function removeRuns(isOver: (owner: Owner) => boolean): Promise<number[]> {
  const runs = readdirSync(RUNS).filter(name => /^\d+$/.test(name));
  const over = runs.map(Number).filter(run => {
    const owner = readOwner(path.join(folderOf(run), 'owner'));
    return owner === undefined || isOver(owner);
  });
  for (const run of over) await removeRun(run);
  return over;
}

/** Removes what processes have left that are gone, or are over in another way; answers their numbers. */
export const removeLeftovers = (isOver = isDead): Promise<number[]> =>
  withLock(LOCK, () => removeRuns(isOver));

let held: RunFolder | undefined;

const claim = (): Promise<RunFolder> =>
  withLock(LOCK, async () => {
    await removeRuns(isDead);
    for (let tried = 0; tried < MOST_RUNS; tried++) {
      const number = (process.pid + tried) % MOST_RUNS;
      const folder = folderOf(number);
      if (existsSync(folder) || hasBridge(number)) continue;
      mkdirSync(folder, { mode: 0o755 });
      const { pid, started } = ourselves();
      writeFileSync(path.join(folder, 'owner'), `${pid} ${started}\n`);
      held = { folder, number };
      return held;
    }
    throw new Error(`${MOST_RUNS} processes have test hosts already`);
  });

let claimed: Promise<RunFolder> | undefined;

/** That of this process, from the first call on until it ends. */
export function runFolder(): Promise<RunFolder> {
  claimed ??= claim();
  return claimed;
}

// A run that ends by itself leaves nothing. With a bridge there is more to remove than can be done on the way out.
process.once('exit', () => {
  if (held !== undefined && !hasBridge(held.number)) rmSync(held.folder, { recursive: true, force: true });
});
