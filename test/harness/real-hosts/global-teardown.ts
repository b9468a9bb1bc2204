import { existsSync } from 'node:fs';
import { isAlive, isChild } from '../programs/proc-files.ts';
import { RUNS, removeLeftovers } from './run-folder.ts';

/** Runs after the last test: idle workers still exist, and vitest kills them without notice. */
export default function setup(): () => Promise<void> {
  return async () => {
    if (process.getuid?.() === 0 && existsSync(RUNS)) await removeLeftovers(owner => isChild(owner) || !isAlive(owner));
  };
}
