import { describe, expect, test } from 'vitest';
import { osConforms } from '../conformance.ts';
import { yumFake } from './fake.ts';
import { yum } from './yum.ts';

osConforms(yum, yumFake);

describe('yum', () => {
  test('installs packages, and fails when one of them is missing', () => {
    expect(yum.install(['curl', 'etcd'])).toEqual([
      ['yum', '-y', '--setopt=skip_missing_names_on_install=False', 'install', 'curl', 'etcd'],
    ]);
  });

  test('downloads an upgrade by fresh lists, then upgrades', () => {
    expect(yum.upgrade).toEqual({
      stage: [
        ['yum', '-y', 'clean', 'expire-cache'],
        ['yum', '-y', 'upgrade', '--downloadonly'],
      ],
      apply: [['yum', '-y', 'upgrade']],
    });
  });

  test('asks yum-utils about reboots first', () => {
    expect(yum.rebootNeed.argv.slice(3)).toEqual(['sh', 'needs-restarting', '-r']);
  });
});
