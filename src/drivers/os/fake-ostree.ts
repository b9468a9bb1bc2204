import { isDeepStrictEqual } from 'node:util';
import type { Argv, Ran } from '../../domain/command.ts';
import type { Machine } from '../machine.ts';
import { said } from './fake-answers.ts';
import { LOCK_STAGED, UNLOCK_STAGED } from './ostree-lock.ts';

/** How the lock of what is staged works on a pretend host. */
export function ostreeLockAnswer({ staged }: Machine, argv: Argv): Ran | undefined {
  const isLock = isDeepStrictEqual(argv, LOCK_STAGED);
  if (!isLock && !isDeepStrictEqual(argv, UNLOCK_STAGED)) return undefined;
  if (staged) staged.isLocked = isLock;
  return said(0);
}
