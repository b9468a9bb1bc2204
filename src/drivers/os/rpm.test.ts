import { expect, test } from 'vitest';
import { describeInTinyRoot, inTinyRoot } from '../../../test/harness/shells/tiny-root.ts';
import { rpmRebootRequired } from './rpm.ts';

const { argv, parse } = rpmRebootRequired('dnf', '-y', 'needs-restarting', '-r');

describeInTinyRoot('whether a system of RPMs needs a reboot', () => {
  const BOOTED = { '/proc/stat': 'cpu  1 2 3\nbtime 1767600000\nprocesses 4\n' };
  const NEEDED =
    'echo "Core libraries or services have been updated since boot-up:"; echo "Reboot is required to fully utilize these updates."; exit 1';
  const NOT_NEEDED =
    'echo "No core libraries or services have been updated since boot-up."; echo "Reboot should not be necessary."';
  const MISSING = 'echo "No such command: needs-restarting. Please use /usr/bin/dnf --help" >&2; exit 1';
  const OFFLINE = 'echo "Error: Failed to download metadata for repo" >&2; exit 1';

  test.each<[string, Record<string, string>, Record<string, string>, boolean | undefined]>([
    ['the plugin says so', { dnf: NEEDED }, BOOTED, true],
    ['the plugin says that it does not', { dnf: NOT_NEEDED, rpm: 'echo 1767600009' }, BOOTED, false],
    ['yum-utils says that it does not', { dnf: 'echo "Reboot is probably not necessary."' }, BOOTED, false],
    [
      'without the plugin nothing is newer than the boot',
      { dnf: MISSING, rpm: 'printf "1767500000 1767599999 "' },
      BOOTED,
      false,
    ],
    [
      'without the plugin a kernel is newer than the boot',
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
    ['neither can tell', { dnf: MISSING, rpm: '' }, {}, undefined],
  ])('%s', (_what, tools, files, isNeeded) => {
    expect(parse(inTinyRoot({ of: 'this machine', tools, files }, root => root.run(argv)))).toBe(isNeeded);
  });
});
