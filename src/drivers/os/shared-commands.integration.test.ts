import { expect, test } from 'vitest';
import { describeInMinimalRoot, inMinimalRoot } from '../../../test/harness/shells/minimal-root.ts';
import type { Argv } from '../../domain/command.ts';
import { LOCK_STAGED, UNLOCK_STAGED } from './shared-commands.ts';

describeInMinimalRoot('finalization lock', () => {
  const run = (argv: Argv, ostree: string, files = {}) =>
    inMinimalRoot({ programsFrom: 'this machine', tools: { ostree }, files }, root => {
      const { exitCode } = root.run(argv);
      return { exitCode, calls: root.calls(), hasFile: root.has('/run/ostree/staged-deployment-locked') };
    });
  const STAGED = { '/run/ostree/staged-deployment': '' };
  const LOCKED = { ...STAGED, '/run/ostree/staged-deployment-locked': '' };

  test('is set by ostree, and the command fails if ostree fails', () => {
    expect(run(LOCK_STAGED, '', STAGED)).toMatchObject({
      exitCode: 0,
      calls: ['ostree admin lock-finalization'],
    });
    expect(run(LOCK_STAGED, 'exit 1', STAGED).exitCode).toBe(1);
  });

  test.each([
    ['by ostree', '', STAGED],
    ['together with the lock file of an old rpm-ostree', '', LOCKED],
    ['as a file if ostree lacks the command', 'exit 1', LOCKED],
  ])('is removed %s', (_label, ostree, files) => {
    expect(run(UNLOCK_STAGED, ostree, files)).toEqual({
      exitCode: 0,
      calls: ['ostree admin lock-finalization --unlock'],
      hasFile: false,
    });
  });

  test('makes the unlock command fail if it cannot be removed', () => {
    expect(run(UNLOCK_STAGED, 'exit 1', STAGED).exitCode).toBe(1);
  });

  test.each([[LOCK_STAGED], [UNLOCK_STAGED]])('is neither set nor removed if no deployment is staged', argv => {
    expect(run(argv, 'exit 1')).toMatchObject({ exitCode: 0, calls: [] });
  });
});
