import { describe, expect, test } from 'vitest';
import { describeInMinimalRoot, inMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { isNewerKernel, rebootRequiredQuery } from './reboot-required.ts';

describe('apt reboot check', () => {
  const debian = (built: string) =>
    `build Linux version 6.1.0-21-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld 2.40) #1 SMP PREEMPT_DYNAMIC Debian ${built} (2024-05-03)`;
  const ubuntu = 'build Linux version 6.8.0-31-generic (buildd@lcy02) (gcc 13.2.0) #31-Ubuntu SMP PREEMPT_DYNAMIC';

  test.each<[string, string[], boolean | undefined]>([
    [
      'the reboot-required file of Ubuntu',
      ['required yes', 'running 6.8.0-31-generic', 'kernel 6.8.0-31-generic', 'package 6.8.0-31.31', ubuntu],
      true,
    ],
    [
      'no reboot-required file on Ubuntu',
      ['running 6.8.0-31-generic', 'kernel 6.8.0-31-generic', 'package 6.8.0-31.31', ubuntu],
      false,
    ],
    ['a newer kernel', ['running 6.1.0-9-amd64', 'kernel 6.1.0-9-amd64', 'kernel 6.1.0-21-amd64', 'package '], true],
    ['an older kernel', ['running 6.1.0-21-amd64', 'kernel 6.1.0-9-amd64', 'kernel 6.1.0-21-amd64', 'package '], false],
    ['the same kernel in another flavour', ['running 6.1.0-21-amd64', 'kernel 6.1.0-21-cloud-amd64'], false],
    ['a newer kernel of another flavour', ['running 6.8.0-50-generic', 'kernel 6.8.0-1022-aws'], false],
    [
      'a newer package with the same kernel name',
      ['running 6.1.0-21-amd64', 'kernel 6.1.0-21-amd64', 'package 6.1.94-1', debian('6.1.90-1')],
      true,
    ],
    [
      'the running kernel from the installed package',
      ['running 6.1.0-21-amd64', 'kernel 6.1.0-21-amd64', 'package 6.1.90-1', debian('6.1.90-1')],
      false,
    ],
    ['a container without a kernel', ['running 6.1.0-21-amd64', 'package ', debian('6.1.90-1')], false],
    ['other output around it', ['Welcome!', 'running 6.1.0-21-amd64', 'kernel 6.1.0-22-amd64', 'bye'], true],
    ['no output', [], undefined],
  ])('returns $2 for %s', (_label, lines, isNeeded) => {
    expect(rebootRequiredQuery.parse(simulatedResult(0, `${lines.join('\n')}\n`))).toBe(isNeeded);
  });

  test.each([
    ['6.1.0-21-amd64', '6.1.0-9-amd64', true],
    ['6.12.41+deb13-amd64', '6.12.38+deb13-amd64', true],
    ['6.8.0-31-generic', '5.15.0-105-generic', true],
    ['6.8.0-31-generic', '6.8.0-31-generic', false],
    ['6.8.0-31', '6.8.0-31-1', false],
    ['0-rescue', '6.8.0-31-generic', false],
    ['invalid', '6.8.0-31-generic', false],
    ['6.8.0-1022-aws', '6.8.0-50-generic', false],
    ['6.8.0-1023-aws', '6.8.0-1022-aws', true],
    ['6.1.0-22-cloud-amd64', '6.1.0-21-amd64', false],
    ['6.1.0-22-686-pae', '6.1.0-21-686', false],
    ['6.1.0-22-5kc-malta', '6.1.0-21-4kc-malta', false],
    ['6.1.0-22-amd64.old', '6.1.0-21-amd64', false],
    ['6.12.25+rpt-rpi-2712', '6.6.31+rpt-rpi-v8', false],
    ['6.12.25+rpt-rpi-v8', '6.6.31+rpt-rpi-v8', true],
    ['6.6.31+rpt-rpi-2712', '6.6.31+rpt-rpi-2712', false],
    ['6.1.0-rpi10-rpi-v8', '6.1.0-rpi9-rpi-v8', true],
    ['6.12.43+deb12-amd64', '6.1.0-21-amd64', true],
    ['6.12.41+deb13-amd64', '6.12.41+deb12-amd64', true],
    ['6.10.11+bpo-amd64', '6.1.0-21-amd64', true],
    ['6.1.0-0.deb11.22-amd64', '6.1.0-0.deb11.21-amd64', true],
    ['6.12-amd64', '6.12~rc6-amd64', true],
    ['6.12~rc6-amd64', '6.12-amd64', false],
    ['6.12~rc7-amd64', '6.12~rc6-amd64', true],
    ['6.12.1-amd64', '6.12-rc6-amd64', true],
  ])('isNewerKernel of %s and %s is %s', (release, baseline, isNewer) => {
    expect(isNewerKernel(release, baseline)).toBe(isNewer);
  });
});

describeInMinimalRoot('apt reboot script', () => {
  test('compares the running kernel with the installed ones', () => {
    const tools = { uname: 'echo 6.1.0-21-amd64', 'dpkg-query': 'printf 6.1.90-1' };
    const files = {
      '/boot/vmlinuz-6.1.0-21-amd64': '',
      '/proc/version':
        'Linux version 6.1.0-21-amd64 (x) (gcc-12 (Debian 12.2.0-14) 12.2.0) #1 SMP Debian 6.1.90-1 (2024-05-03)\n',
    };
    const isNeeded = (additionalFiles: object) =>
      rebootRequiredQuery.parse(
        inMinimalRoot({ programsFrom: 'this machine', tools, files: { ...files, ...additionalFiles } }, root =>
          root.run(rebootRequiredQuery.argv),
        ),
      );
    expect(isNeeded({})).toBe(false);
    expect(isNeeded({ '/boot/vmlinuz-6.1.0-22-amd64': '' })).toBe(true);
    expect(isNeeded({ '/run/reboot-required': '' })).toBe(true);
    expect(isNeeded({ '/proc/version': files['/proc/version'].replace('6.1.90-1', '6.1.85-1') })).toBe(true);
  });
});
