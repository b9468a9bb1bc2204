import { expect, test } from 'vitest';
import { describeInMinimalRoot, inMinimalRoot } from '../../../test/harness/shells/minimal-root.ts';
import { rpmRebootRequired } from './rpm.ts';

const { argv, parse } = rpmRebootRequired('dnf', '-y', 'needs-restarting', '-r');

describeInMinimalRoot('RPM reboot check', () => {
  const BOOTED = { '/proc/stat': 'cpu  1 2 3\nbtime 1767600000\nprocesses 4\n' };
  const NEEDED =
    'echo "Core libraries or services have been updated since boot-up:"; echo "Reboot is required to fully utilize these updates."; exit 1';
  const NOT_NEEDED =
    'echo "No core libraries or services have been updated since boot-up."; echo "Reboot should not be necessary."';
  const MISSING = 'echo "No such command: needs-restarting. Please use /usr/bin/dnf --help" >&2; exit 1';
  const OFFLINE = 'echo "Error: Failed to download metadata for repo" >&2; exit 1';

  test.each<[string, Record<string, string>, Record<string, string>, boolean | undefined]>([
    ['the plugin requires a reboot', { dnf: NEEDED }, BOOTED, true],
    ['the plugin requires no reboot', { dnf: NOT_NEEDED, rpm: 'echo 1767600009' }, BOOTED, false],
    ['yum-utils requires no reboot', { dnf: 'echo "Reboot is probably not necessary."' }, BOOTED, false],
    [
      'the plugin is missing and no package is newer than the boot',
      { dnf: MISSING, rpm: 'printf "1767500000 1767599999 "' },
      BOOTED,
      false,
    ],
    [
      'the plugin is missing and a package is newer than the boot',
      { dnf: MISSING, rpm: 'printf "1767500000 1767600009 "' },
      BOOTED,
      true,
    ],
    [
      'some packages are not installed',
      { dnf: MISSING, rpm: 'printf "no package provides kernel-rt\\n1767500000 "; exit 1' },
      BOOTED,
      false,
    ],
    ['the plugin is offline', { dnf: OFFLINE, rpm: 'printf "1767600009 "' }, BOOTED, true],
    ['plugin and boot time are missing', { dnf: MISSING, rpm: '' }, {}, undefined],
  ])('returns $3 when %s', (_label, tools, files, isNeeded) => {
    expect(parse(inMinimalRoot({ programsFrom: 'this machine', tools, files }, root => root.run(argv)))).toBe(isNeeded);
  });
});
