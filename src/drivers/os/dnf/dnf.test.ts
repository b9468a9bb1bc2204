import { describe, expect, test } from 'vitest';
import { osConforms } from '../conformance.ts';
import { said } from '../fake-answers.ts';
import { dnf } from './dnf.ts';
import { dnfFake } from './fake.ts';

osConforms(dnf, dnfFake);

describe('dnf', () => {
  test('installs packages and nothing that they only recommend', () => {
    expect(dnf.install(['curl', 'etcd'])).toEqual([
      ['dnf', '-y', '--setopt=install_weak_deps=False', 'install', 'curl', 'etcd'],
    ]);
  });

  test('downloads an upgrade by fresh lists of every repository, then upgrades', () => {
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

  test('finds out by the upgrade itself what there is to upgrade, without a server', () => {
    expect(dnf.upgrade.pending.argv).toEqual([
      ...['env', 'LC_ALL=C', 'dnf', '--cacheonly'],
      ...['--setopt=*.skip_if_unavailable=False', '--setopt=skip_if_unavailable=False'],
      ...['--setopt=exit_on_lock=True', 'upgrade', '--assumeno'],
    ]);
  });

  test.each<[string, ReturnType<typeof said>, boolean | undefined]>([
    [
      'dnf 4 has something',
      said(1, 'Transaction Summary\nUpgrade  1 Package\n', 'Operation aborted.\n'),
      true,
    ],
    ['dnf5 has something', said(1, 'Transaction Summary:\n', 'Operation aborted by the user.\n'), true],
    ['there is nothing', said(0, 'Dependencies resolved.\nNothing to do.\nComplete!\n'), false],
    [
      'everything is skipped',
      said(0, 'Skipping packages with broken dependencies:\n toyd\nNothing to do.\n'),
      false,
    ],
    ['lists are missing', said(1, '', 'Error: Cache-only enabled but no cache for tests\n'), undefined],
    ['dependencies are broken', said(1, '', 'Error: \n Problem: cannot install\n'), undefined],
    ['somebody holds the lock', said(200, '', 'Error: Failed to obtain the transaction lock\n'), undefined],
    ['it says nothing', said(0), undefined],
    ['it is killed', said(137, '', 'Operation aborted.\n'), undefined],
  ])('reads what is pending when %s', (_what, ran, isPending) => {
    expect(dnf.upgrade.pending.read(ran)).toBe(isPending);
  });

  test('asks its own plugin about reboots first', () => {
    expect(dnf.rebootNeed.argv).toEqual([
      ...['sh', '-c', expect.stringContaining('rpm -q'), 'sh'],
      ...['dnf', '-y', 'needs-restarting', '-r'],
    ]);
  });
});
