import { describe, expect, test } from 'vitest';
import { osConforms } from '../../../simulator/os/conformance.ts';
import { simulatedYum } from '../../../simulator/os/rpm.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { yum } from './yum.ts';

osConforms(yum, simulatedYum);

describe('yum', () => {
  test('installs packages, and fails when one of them is missing', () => {
    expect(yum.install(['curl', 'etcd'])).toEqual([
      ['yum', '-y', '--setopt=skip_missing_names_on_install=False', 'install', 'curl', 'etcd'],
    ]);
  });

  test('downloads an upgrade by fresh lists, then upgrades', () => {
    expect(yum.upgrade).toMatchObject({
      stage: [
        ['yum', '-y', 'clean', 'expire-cache'],
        ['yum', '-y', 'upgrade', '--downloadonly'],
      ],
      apply: [['yum', '-y', 'upgrade']],
    });
  });

  test('is asked what there is to upgrade, without a server', () => {
    const { argv } = yum.upgrade.hasUpdates;
    expect(argv).toEqual(['yum', '--cacheonly', '--setopt=exit_on_lock=True', 'check-update']);
  });

  test.each([
    ['something', 100, true],
    ['nothing', 0, false],
    ['not known when a list is missing', 1, undefined],
    ['not known while somebody holds the lock', 200, undefined],
  ])('what is pending is %s', (_what, exitCode, hasUpdates) => {
    expect(yum.upgrade.hasUpdates.parse(simulatedResult(exitCode))).toBe(hasUpdates);
  });

  test('asks yum-utils about reboots first', () => {
    expect(yum.rebootRequired.argv.slice(3)).toEqual(['sh', 'needs-restarting', '-r']);
  });
});
