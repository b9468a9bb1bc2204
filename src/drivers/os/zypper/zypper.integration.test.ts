import { describe, expect, test } from 'vitest';
import { osConforms } from '../../../../test/conformance/os.ts';
import { describeInMinimalRoot, inMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import type { Argv } from '../../../domain/command.ts';
import { simulatedZypper } from '../../../simulator/os/zypper.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { zypper } from './zypper.ts';

osConforms(zypper, simulatedZypper);

const script = expect.stringMatching(/zypper --non-interactive "\$@"/);

describe('zypper', () => {
  test('installs packages without recommended ones', () => {
    expect(zypper.install(['curl', 'etcd'])).toEqual([
      ['sh', '-c', script, 'sh', 'install', '--auto-agree-with-licenses', '--no-recommends', '--', 'curl', 'etcd'],
    ]);
  });

  test('downloads an upgrade with fresh lists, then upgrades', () => {
    expect(zypper.upgrade).toMatchObject({
      stage: [
        ['sh', '-c', script, 'sh', 'refresh'],
        ['sh', '-c', script, 'sh', '--auto-agree-with-licenses'],
      ],
      apply: [['sh', '-c', script, 'sh', '--auto-agree-with-licenses']],
    });
  });

  const summary = (attributes: string) =>
    `<stream>\n<install-summary download-size="1" ${attributes} need-restart="0">\n</install-summary>\n</stream>\n`;

  test.each<[string, number, string, boolean | undefined]>([
    ['updates', 0, summary('packages-to-change="3"'), true],
    ['updates that need a reboot', 102, summary('packages-to-change="3"'), true],
    ['no updates', 0, summary('packages-to-change="0"'), false],
    [
      'two summaries, of which the last counts',
      0,
      `${summary('packages-to-change="3"')}${summary('packages-to-change="0"')}`,
      false,
    ],
    ['a zypper without packages-to-change', 0, summary('space-usage-diff="0"'), undefined],
    ['a dependency error', 4, summary('packages-to-change="3"'), undefined],
    ['a lock held by another process', 7, '<stream>\n', undefined],
  ])('updates query returns $3 for %s', (_label, exitCode, text, hasUpdates) => {
    expect(zypper.upgrade.hasUpdates.parse(simulatedResult(exitCode, text))).toBe(hasUpdates);
  });

  test('uses needs-rebooting for the reboot check', () => {
    expect(zypper.rebootRequired.argv).toEqual(['zypper', '--non-interactive', 'needs-rebooting']);
  });

  test.each([
    ['true', 102, true],
    ['false', 0, false],
    ['undefined on an old zypper', 2, undefined],
    ['undefined while zypper is locked', 7, undefined],
  ])('reboot check is %s for exit code %d', (_label, exitCode, isNeeded) => {
    expect(zypper.rebootRequired.parse(simulatedResult(exitCode))).toBe(isNeeded);
  });
});

describeInMinimalRoot('zypper scripts', () => {
  const [refresh = ['false'], download = ['false']] = zypper.upgrade.stage;
  const [apply = ['false']] = zypper.upgrade.apply;
  const [install = ['false']] = zypper.install(['curl']) ?? [];
  const run = (argv: Argv, tool: string, id = 'opensuse-leap') =>
    inMinimalRoot(
      {
        programsFrom: 'this machine',
        tools: { zypper: tool },
        files: { '/etc/os-release': `NAME=x\nID="${id}"\n` },
      },
      root => ({ ...root.run(argv), calls: root.calls() }),
    );

  test.each([
    [0, 0, 0],
    [100, 0, 0],
    [102, 0, 0],
    [4, 4, 4],
    [7, 7, 7],
    [104, 104, 104],
    [106, 106, 0],
    [107, 107, 0],
  ])('convert exit code %d to %d while staging and to %d otherwise', (code, staging, otherwise) => {
    const tools = { zypper: `exit ${code}` };
    const files = { '/etc/os-release': 'ID=sles\n' };
    const codes = inMinimalRoot({ programsFrom: 'this machine', tools, files }, root =>
      [refresh, download, apply, install].map(argv => root.run(argv).exitCode),
    );
    expect(codes).toEqual([staging, staging, otherwise, otherwise]);
  });

  test('run again after zypper has upgraded itself', () => {
    expect(run(refresh, '[ -e /again ] && exit 8; : >/again; exit 103')).toMatchObject({
      exitCode: 8,
      calls: ['zypper --non-interactive refresh', 'zypper --non-interactive refresh'],
    });
  });

  test.each([
    ['opensuse-leap', 'update'],
    ['opensuse-tumbleweed', 'dist-upgrade'],
  ])('upgrade %s with %s and the downloaded lists', (id, verb) => {
    const argvs = [download, zypper.upgrade.hasUpdates.argv, apply];
    expect(argvs.flatMap(argv => run(argv, '', id).calls)).toEqual([
      `zypper --non-interactive ${verb} --auto-agree-with-licenses --download-only`,
      `zypper --non-interactive --xmlout --no-refresh ${verb} --auto-agree-with-licenses --dry-run`,
      `zypper --non-interactive --no-refresh ${verb} --auto-agree-with-licenses`,
    ]);
  });
});
