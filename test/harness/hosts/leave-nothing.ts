import { existsSync } from 'node:fs';
import { isAlive, isChild } from './owner.ts';
import { RUNS, removeLeftovers } from './run-folder.ts';

/** After the last test: the workers are still there, but have nothing to do any more, and are not asked before they are killed. */
export default function setup(): () => Promise<void> {
  return async () => {
    if (process.getuid?.() === 0 && existsSync(RUNS))
      await removeLeftovers(owner => isChild(owner) || !isAlive(owner));
  };
}
