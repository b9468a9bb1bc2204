import { describe, expect, test } from 'vitest';
import { describeInTinyRoot, inTinyRoot } from '../../../../test/harness/tiny-root.ts';
import type { Argv } from '../../../domain/command.ts';
import { osConforms } from '../conformance.ts';
import { said } from '../fake-answers.ts';
import { apt } from './apt.ts';
import { aptFake } from './fake.ts';
import { isNewerKernel } from './reboot-need.ts';

osConforms(apt, aptFake);

const QUIET = ['env', 'DEBIAN_FRONTEND=noninteractive', 'APT_LISTCHANGES_FRONTEND=none'];
const APT_GET = [
  ...[...QUIET, 'apt-get', '-q', '-y', '-o', 'Dpkg::Options::=--force-confdef'],
  ...['-o', 'Dpkg::Options::=--force-confold', '-o', 'DPkg::Lock::Timeout=600'],
];
const script = expect.stringMatching(/\n/);
const REPAIR = [
  'sh',
  '-c',
  script,
  'sh',
  ...QUIET,
  'dpkg',
  '--force-confdef',
  '--force-confold',
  '--configure',
  '-a',
];

describe('apt', () => {
  test('installs packages and nothing that they only recommend', () => {
    expect(apt.install(['curl', 'etcd-server'])).toEqual([
      REPAIR,
      ['sh', '-c', script, 'sh', ...APT_GET, 'update'],
      [...APT_GET, 'install', '--no-install-recommends', '--', 'curl', 'etcd-server'],
    ]);
  });

  test('downloads an upgrade, and fails when a server of lists does not answer', () => {
    expect(apt.upgrade.stage).toEqual([
      REPAIR,
      ['sh', '-c', script, 'sh', ...APT_GET, '-o', 'APT::Update::Error-Mode=any', 'update'],
      [...APT_GET, '--download-only', 'upgrade', '--with-new-pkgs'],
    ]);
  });

  test('upgrades without removing anything, after what was broken off is finished', () => {
    expect(apt.upgrade.apply).toEqual([REPAIR, [...APT_GET, 'upgrade', '--with-new-pkgs']]);
  });

  test('enables services at once', () => {
    expect(apt.enable(['etcd.service', 'docker'])).toEqual([
      ['systemctl', 'enable', '--now', '--', 'etcd.service', 'docker'],
    ]);
  });
});

describe('the need of a reboot', () => {
  const debian = (built: string) =>
    `build Linux version 6.1.0-21-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld 2.40) #1 SMP PREEMPT_DYNAMIC Debian ${built} (2024-05-03)`;
  const ubuntu =
    'build Linux version 6.8.0-31-generic (buildd@lcy02) (gcc 13.2.0) #31-Ubuntu SMP PREEMPT_DYNAMIC';

  test.each<[string, string[], boolean | undefined]>([
    [
      'Ubuntu says so',
      ['required yes', 'running 6.8.0-31-generic', 'kernel 6.8.0-31-generic', 'package 6.8.0-31.31', ubuntu],
      true,
    ],
    [
      'Ubuntu does not',
      ['running 6.8.0-31-generic', 'kernel 6.8.0-31-generic', 'package 6.8.0-31.31', ubuntu],
      false,
    ],
    [
      'a newer kernel is there',
      ['running 6.1.0-9-amd64', 'kernel 6.1.0-9-amd64', 'kernel 6.1.0-21-amd64', 'package '],
      true,
    ],
    [
      'an older kernel is there',
      ['running 6.1.0-21-amd64', 'kernel 6.1.0-9-amd64', 'kernel 6.1.0-21-amd64', 'package '],
      false,
    ],
    ['the same kernel in another flavour', ['running 6.1.0-21-amd64', 'kernel 6.1.0-21-cloud-amd64'], false],
    [
      'the kernel kept its name',
      ['running 6.1.0-21-amd64', 'kernel 6.1.0-21-amd64', 'package 6.1.94-1', debian('6.1.90-1')],
      true,
    ],
    [
      'the kernel is the package',
      ['running 6.1.0-21-amd64', 'kernel 6.1.0-21-amd64', 'package 6.1.90-1', debian('6.1.90-1')],
      false,
    ],
    ['a container without a kernel', ['running 6.1.0-21-amd64', 'package ', debian('6.1.90-1')], false],
    ['noise around it', ['Welcome!', 'running 6.1.0-21-amd64', 'kernel 6.1.0-22-amd64', 'bye'], true],
    ['no answer', [], undefined],
  ])('%s', (_what, lines, isNeeded) => {
    expect(apt.rebootNeed.read(said(0, `${lines.join('\n')}\n`))).toBe(isNeeded);
  });

  test.each([
    ['6.1.0-21-amd64', '6.1.0-9-amd64', true],
    ['6.12.41+deb13-amd64', '6.12.38+deb13-amd64', true],
    ['6.8.0-31-generic', '5.15.0-105-generic', true],
    ['6.8.0-31-generic', '6.8.0-31-generic', false],
    ['6.8.0-31', '6.8.0-31-1', false],
    ['0-rescue', '6.8.0-31-generic', false],
    ['nonsense', '6.8.0-31-generic', false],
  ])('%s is newer than %s: %s', (one, other, isNewer) => {
    expect(isNewerKernel(one, other)).toBe(isNewer);
  });
});

describeInTinyRoot('the scripts of apt', () => {
  const [repair = ['false'], update = ['false']] = apt.upgrade.stage;
  const run = (argv: Argv, tools: Readonly<Record<string, string>>, files = {}) =>
    inTinyRoot({ of: 'this machine', tools, files }, root => ({ ...root.run(argv), calls: root.calls() }));

  test('finish what was broken off, and only that', () => {
    expect(run(repair, { dpkg: '' })).toMatchObject({ exitCode: 0, calls: [] });
    expect(run(repair, { dpkg: 'exit 3' }, { '/var/lib/dpkg/updates/0001': '' })).toMatchObject({
      exitCode: 3,
      calls: ['dpkg --force-confdef --force-confold --configure -a'],
    });
  });

  test('wait for the lists while somebody else holds them', () => {
    const LOCKED_TWICE = 'read -r n </n; echo "$((n + 1))" >/n; [ "$n" -ge 2 ]';
    const { exitCode, calls } = run(update, { 'apt-get': LOCKED_TWICE, sleep: '' }, { '/n': '0\n' });
    expect([exitCode, calls.filter(call => call.startsWith('sleep'))]).toEqual([0, ['sleep 5', 'sleep 10']]);
  });

  test('give up in the end, as apt-get did', () => {
    const { exitCode, calls } = run(update, { 'apt-get': 'exit 100', sleep: '' });
    expect([exitCode, calls.filter(call => call.startsWith('apt-get')).length]).toEqual([100, 6]);
  });

  test('tell about kernels', () => {
    const tools = { uname: 'echo 6.1.0-21-amd64', 'dpkg-query': 'printf 6.1.90-1' };
    const files = {
      '/boot/vmlinuz-6.1.0-21-amd64': '',
      '/proc/version':
        'Linux version 6.1.0-21-amd64 (x) (gcc-12 (Debian 12.2.0-14) 12.2.0) #1 SMP Debian 6.1.90-1 (2024-05-03)\n',
    };
    const isNeeded = (more: object) =>
      apt.rebootNeed.read(run(apt.rebootNeed.argv, tools, { ...files, ...more }));
    expect(isNeeded({})).toBe(false);
    expect(isNeeded({ '/boot/vmlinuz-6.1.0-22-amd64': '' })).toBe(true);
    expect(isNeeded({ '/run/reboot-required': '' })).toBe(true);
    expect(isNeeded({ '/proc/version': files['/proc/version'].replace('6.1.90-1', '6.1.85-1') })).toBe(true);
  });
});
