import { describe, expect, test } from 'vitest';
import { osConforms } from '../../../../test/conformance/os.ts';
import { simulatedYum } from '../../../simulator/os/rpm.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { yum } from './yum.ts';

osConforms(yum, simulatedYum);

describe('yum', () => {
  test('fails to install if a package is not available', () => {
    expect(yum.install(['curl', 'etcd'])).toEqual([
      ['yum', '-y', '--setopt=skip_missing_names_on_install=False', 'install', 'curl', 'etcd'],
    ]);
  });

  test('downloads an upgrade with fresh lists, then upgrades', () => {
    expect(yum.upgrade).toMatchObject({
      stage: [
        ['yum', '-y', 'clean', 'expire-cache'],
        ['yum', '-y', 'upgrade', '--downloadonly'],
      ],
      apply: [['yum', '-y', 'upgrade']],
    });
  });

  test('checks for updates offline', () => {
    const { argv } = yum.upgrade.hasUpdates;
    expect(argv).toEqual(['yum', '--cacheonly', '--setopt=exit_on_lock=True', 'check-update']);
  });

  test.each([
    ['updates', 100, true],
    ['no updates', 0, false],
    ['a missing list', 1, undefined],
    ['a lock held by another process', 200, undefined],
  ])('updates query returns $2 for %s', (_label, exitCode, hasUpdates) => {
    expect(yum.upgrade.hasUpdates.parse(simulatedResult(exitCode))).toBe(hasUpdates);
  });

  test('uses needs-restarting of yum-utils for the reboot check', () => {
    expect(yum.rebootRequired.argv.slice(3)).toEqual(['sh', 'needs-restarting', '-r']);
  });
});
