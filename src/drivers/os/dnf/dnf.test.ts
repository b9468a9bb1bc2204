import { describe, expect, test } from 'vitest';
import { osConforms } from '../../../../test/conformance/os.ts';
import { simulatedDnf } from '../../../simulator/os/rpm.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { dnf } from './dnf.ts';

osConforms(dnf, simulatedDnf);

describe('dnf', () => {
  test('installs packages without weak dependencies', () => {
    expect(dnf.install(['curl', 'etcd'])).toEqual([
      ['dnf', '-y', '--setopt=install_weak_deps=False', 'install', 'curl', 'etcd'],
    ]);
  });

  test('downloads an upgrade with fresh lists of all repositories, then upgrades', () => {
    expect(dnf.upgrade).toMatchObject({
      stage: [
        [
          ...['dnf', '-y', '--setopt=*.skip_if_unavailable=False', '--setopt=skip_if_unavailable=False'],
          ...['--refresh', 'upgrade', '--downloadonly'],
        ],
      ],
      apply: [['dnf', '-y', 'upgrade']],
    });
  });

  test('checks for updates offline with a declined upgrade', () => {
    expect(dnf.upgrade.hasUpdates.argv).toEqual([
      ...['env', 'LC_ALL=C', 'dnf', '--cacheonly'],
      ...['--setopt=*.skip_if_unavailable=False', '--setopt=skip_if_unavailable=False'],
      ...['--setopt=exit_on_lock=True', 'upgrade', '--assumeno'],
    ]);
  });

  test.each<[string, ReturnType<typeof simulatedResult>, boolean | undefined]>([
    [
      'dnf 4 has updates',
      simulatedResult(1, 'Transaction Summary\nUpgrade  1 Package\n', 'Operation aborted.\n'),
      true,
    ],
    ['dnf5 has updates', simulatedResult(1, 'Transaction Summary:\n', 'Operation aborted by the user.\n'), true],
    ['there are no updates', simulatedResult(0, 'Dependencies resolved.\nNothing to do.\nComplete!\n'), false],
    [
      'all updates are skipped',
      simulatedResult(0, 'Skipping packages with broken dependencies:\n toyd\nNothing to do.\n'),
      false,
    ],
    ['lists are missing', simulatedResult(1, '', 'Error: Cache-only enabled but no cache for tests\n'), undefined],
    ['dependencies are broken', simulatedResult(1, '', 'Error: \n Problem: cannot install\n'), undefined],
    [
      'another process holds the lock',
      simulatedResult(200, '', 'Error: Failed to obtain the transaction lock\n'),
      undefined,
    ],
    ['there is no output', simulatedResult(0), undefined],
    ['it is killed', simulatedResult(137, '', 'Operation aborted.\n'), undefined],
  ])('parses the updates query when %s', (_label, result, hasUpdates) => {
    expect(dnf.upgrade.hasUpdates.parse(result)).toBe(hasUpdates);
  });

  test('uses the needs-restarting plugin for the reboot check', () => {
    expect(dnf.rebootRequired.argv).toEqual([
      ...['sh', '-c', expect.stringContaining('rpm -q'), 'sh'],
      ...['dnf', '-y', 'needs-restarting', '-r'],
    ]);
  });
});
