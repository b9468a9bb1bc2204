import { describe, expect, test } from 'vitest';
import { osConforms } from '../conformance.ts';
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
    expect(dnf.upgrade).toEqual({
      stage: [
        [
          ...['dnf', '-y', '--setopt=*.skip_if_unavailable=False', '--setopt=skip_if_unavailable=False'],
          ...['--refresh', 'upgrade', '--downloadonly'],
        ],
      ],
      apply: [['dnf', '-y', 'upgrade']],
    });
  });

  test('asks its own plugin about reboots first', () => {
    expect(dnf.rebootNeed.argv).toEqual([
      ...['sh', '-c', expect.stringContaining('rpm -q'), 'sh'],
      ...['dnf', '-y', 'needs-restarting', '-r'],
    ]);
  });
});
