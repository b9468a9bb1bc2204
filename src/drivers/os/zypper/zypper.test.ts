import { describe, expect, test } from 'vitest';
import { describeInTinyRoot, inTinyRoot } from '../../../../test/harness/shells/tiny-root.ts';
import type { Argv } from '../../../domain/command.ts';
import { osConforms } from '../../../simulator/os/conformance.ts';
import { simulatedZypper } from '../../../simulator/os/zypper.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { zypper } from './zypper.ts';

osConforms(zypper, simulatedZypper);

const script = expect.stringMatching(/zypper --non-interactive "\$@"/);

describe('zypper', () => {
  test('installs packages and nothing that they only recommend', () => {
    expect(zypper.install(['curl', 'etcd'])).toEqual([
      [
        'sh',
        '-c',
        script,
        'sh',
        'install',
        '--auto-agree-with-licenses',
        '--no-recommends',
        '--',
        'curl',
        'etcd',
      ],
    ]);
  });

  test('downloads an upgrade by fresh lists, then upgrades', () => {
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
    ['something', 0, summary('packages-to-change="3"'), true],
    ['something that wants a reboot', 102, summary('packages-to-change="3"'), true],
    ['nothing', 0, summary('packages-to-change="0"'), false],
    [
      'what it would do after a second look',
      0,
      `${summary('packages-to-change="3"')}${summary('packages-to-change="0"')}`,
      false,
    ],
    ['not known to a zypper that does not count', 0, summary('space-usage-diff="0"'), undefined],
    ['not known when packages do not fit', 4, summary('packages-to-change="3"'), undefined],
    ['not known while it is locked', 7, '<stream>\n', undefined],
  ])('what is pending is %s', (_what, exitCode, text, hasUpdates) => {
    expect(zypper.upgrade.hasUpdates.parse(simulatedResult(exitCode, text))).toBe(hasUpdates);
  });

  test('asks zypper about reboots', () => {
    expect(zypper.rebootRequired.argv).toEqual(['zypper', '--non-interactive', 'needs-rebooting']);
  });

  test.each([
    ['needed', 102, true],
    ['not needed', 0, false],
    ['unknown to an old zypper', 2, undefined],
    ['unknown while it is locked', 7, undefined],
  ])('a reboot is %s when it ends with %d', (_what, exitCode, isNeeded) => {
    expect(zypper.rebootRequired.parse(simulatedResult(exitCode))).toBe(isNeeded);
  });
});

describeInTinyRoot('the scripts of zypper', () => {
  const [refresh = ['false'], download = ['false']] = zypper.upgrade.stage;
  const [apply = ['false']] = zypper.upgrade.apply;
  const [install = ['false']] = zypper.install(['curl']) ?? [];
  const run = (argv: Argv, tool: string, id = 'opensuse-leap') =>
    inTinyRoot(
      { of: 'this machine', tools: { zypper: tool }, files: { '/etc/os-release': `NAME=x\nID="${id}"\n` } },
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
  ])('an exit code of %d is %d while staging, and %d afterwards', (code, staging, afterwards) => {
    const tools = { zypper: `exit ${code}` };
    const files = { '/etc/os-release': 'ID=sles\n' };
    const codes = inTinyRoot({ of: 'this machine', tools, files }, root =>
      [refresh, download, apply, install].map(argv => root.run(argv).exitCode),
    );
    expect(codes).toEqual([staging, staging, afterwards, afterwards]);
  });

  test('what is left after zypper upgraded itself is done by the new one', () => {
    expect(run(refresh, '[ -e /again ] && exit 8; : >/again; exit 103')).toMatchObject({
      exitCode: 8,
      calls: ['zypper --non-interactive refresh', 'zypper --non-interactive refresh'],
    });
  });

  test.each([
    ['opensuse-leap', 'update'],
    ['opensuse-tumbleweed', 'dist-upgrade'],
  ])('%s is upgraded by %s, with the lists of the download', (id, verb) => {
    const argvs = [download, zypper.upgrade.hasUpdates.argv, apply];
    expect(argvs.flatMap(argv => run(argv, '', id).calls)).toEqual([
      `zypper --non-interactive ${verb} --auto-agree-with-licenses --download-only`,
      `zypper --non-interactive --xmlout --no-refresh ${verb} --auto-agree-with-licenses --dry-run`,
      `zypper --non-interactive --no-refresh ${verb} --auto-agree-with-licenses`,
    ]);
  });
});
