import { expect, test } from 'vitest';
import { describeInTinyRoot, inTinyRoot } from '../../../test/harness/shells/tiny-root.ts';
import type { Argv } from '../../domain/command.ts';
import { LOCK_STAGED, UNLOCK_STAGED } from './shared-commands.ts';

describeInTinyRoot('the lock of what is staged', () => {
  const run = (argv: Argv, ostree: string, files = {}) =>
    inTinyRoot({ of: 'this machine', tools: { ostree }, files }, root => {
      const { exitCode } = root.run(argv);
      return { exitCode, calls: root.calls(), hasFile: root.has('/run/ostree/staged-deployment-locked') };
    });
  const STAGED = { '/run/ostree/staged-deployment': '' };
  const LOCKED = { ...STAGED, '/run/ostree/staged-deployment-locked': '' };

  test('is set by ostree, and fails as ostree does', () => {
    expect(run(LOCK_STAGED, '', STAGED)).toMatchObject({
      exitCode: 0,
      calls: ['ostree admin lock-finalization'],
    });
    expect(run(LOCK_STAGED, 'exit 1', STAGED).exitCode).toBe(1);
  });

  test.each([
    ['ostree', '', STAGED],
    ['hand too, since an old rpm-ostree locks by a file that ostree leaves', '', LOCKED],
    ['hand alone, where ostree has no such command', 'exit 1', LOCKED],
  ])('is taken away by %s', (_what, ostree, files) => {
    expect(run(UNLOCK_STAGED, ostree, files)).toEqual({
      exitCode: 0,
      calls: ['ostree admin lock-finalization --unlock'],
      hasFile: false,
    });
  });

  test('says so when it could not be taken away', () => {
    expect(run(UNLOCK_STAGED, 'exit 1', STAGED).exitCode).toBe(1);
  });

  test.each([[LOCK_STAGED], [UNLOCK_STAGED]])('is nothing to do where nothing is staged', argv => {
    expect(run(argv, 'exit 1')).toMatchObject({ exitCode: 0, calls: [] });
  });
});
