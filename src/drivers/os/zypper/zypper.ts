// openSUSE and SUSE Linux Enterprise. Those that are upgraded as a whole, by transactional-update, are none of ours.

import type { Argv, HostQuery } from '../../../domain/command.ts';
import { decodeText } from '../command-output.ts';
import type { OsDriver } from '../os-driver.ts';
import { enableServices, installCommands } from '../shared-commands.ts';

const SUSE_IDS = new Set([
  ...['opensuse', 'opensuse-leap', 'opensuse-tumbleweed', 'opensuse-slowroll'],
  ...['suse', 'sles', 'sled', 'sles_sap', 'sle_hpc'],
]);

// SLE Micro, openSUSE MicroOS, Leap Micro, Aeon, Kalpa: like SUSE by name, and with a file system that zypper cannot write.
const TRANSACTIONAL_ID = /micro|aeon|kalpa/;

// Of zypper's exit codes, 100 to 103 say something and are no failure. 103: zypper itself was upgraded, and the rest is left to the
// new one. The lock is waited for, in seconds.
const zypperScript = (informational: string): string => `ZYPP_LOCK_TIMEOUT=600
export ZYPP_LOCK_TIMEOUT
zypper --non-interactive "$@"
code=$?
if [ "$code" = 103 ]; then
  zypper --non-interactive "$@"
  code=$?
fi
case $code in ${informational}) exit 0 ;; esac
exit "$code"`;

// 106: a repository was skipped. What was asked for is done all the same, but lists that are not fresh offer no upgrade.
const FAIL_ON_SKIPPED_REPO = zypperScript('100|101|102|103');
// 107: the script of a package failed, after it was installed.
const TOLERATE_WARNINGS = zypperScript('100|101|102|103|106|107');

// What rolls is upgraded only as a whole: there `update` leaves packages behind that do not fit each other any more.
const CHOOSE_VERB = `verb=update
while read -r line; do
  case $line in ID=*tumbleweed*|ID=*slowroll*) verb=dist-upgrade ;; esac
done </etc/os-release`;

const DOWNLOAD = `${CHOOSE_VERB}
set -- "$verb" "$@" --download-only
${FAIL_ON_SKIPPED_REPO}`;

// By the lists of the download, so that what was staged is what is applied.
const APPLY = `${CHOOSE_VERB}
set -- --no-refresh "$verb" "$@"
${TOLERATE_WARNINGS}`;

// Who holds the lock is not waited for.
const DRY_RUN = `${CHOOSE_VERB}
exec zypper --non-interactive --xmlout --no-refresh "$verb" "$@" --dry-run`;

const scriptArgv = (script: string, ...args: string[]): Argv => ['sh', '-c', script, 'sh', ...args];

const ACCEPT_LICENSES = '--auto-agree-with-licenses';
const EXIT_REBOOT_NEEDED = 102;

/** By the lists of the download. Zypper counts what would change since 1.14.8, of 2018; the last count is that of what it would do. */
const hasUpdates: HostQuery<boolean> = {
  argv: scriptArgv(DRY_RUN, ACCEPT_LICENSES),
  parse: ({ exitCode, stdout }) => {
    const counts = [...decodeText(stdout).matchAll(/<install-summary ([^<>]*)>/g)].flatMap(
      ([, attributes = '']) => /(?:^|\s)packages-to-change="([0-9]+)"/.exec(attributes)?.[1] ?? [],
    );
    const count = counts.at(-1);
    const isValid = exitCode === 0 || (exitCode >= 100 && exitCode <= 103);
    return isValid && count !== undefined ? Number(count) > 0 : undefined;
  },
};

export const zypper: OsDriver = {
  type: 'zypper',
  summary: 'openSUSE and SUSE Linux Enterprise; packages with zypper',
  osNames: ['opensuse'],
  matchOs: (id, traits) => {
    const isTransactional = traits.tools.has('transactional-update') || TRANSACTIONAL_ID.test(traits.id);
    return SUSE_IDS.has(id) && !traits.isOstree && !isTransactional ? 'opensuse' : undefined;
  },
  requiredTools: ['zypper'],
  requiredPackages: [],
  install: packages =>
    installCommands(
      packages,
      scriptArgv(TOLERATE_WARNINGS, 'install', ACCEPT_LICENSES, '--no-recommends', '--', ...packages),
    ),
  enable: enableServices,
  upgrade: {
    stage: [scriptArgv(FAIL_ON_SKIPPED_REPO, 'refresh'), scriptArgv(DOWNLOAD, ACCEPT_LICENSES)],
    hasUpdates,
    apply: [scriptArgv(APPLY, ACCEPT_LICENSES)],
  },
  rebootRequired: {
    argv: ['zypper', '--non-interactive', 'needs-rebooting'],
    parse: ({ exitCode }) => (exitCode === EXIT_REBOOT_NEEDED ? true : exitCode === 0 ? false : undefined),
  },
};
