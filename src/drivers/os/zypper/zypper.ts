// openSUSE and SUSE Linux Enterprise, without systems that use transactional-update.

import type { HostQuery } from '../../../domain/command.ts';
import { scriptArgv } from '../../../domain/command.ts';
import { decodeText } from '../command-output.ts';
import type { OsDriver } from '../os-driver.ts';
import { installCommands } from '../shared-commands.ts';

const SUSE_IDS = new Set(
  'opensuse opensuse-leap opensuse-tumbleweed opensuse-slowroll suse sles sled sles_sap sle_hpc'.split(' '),
);

// SLE Micro, openSUSE MicroOS, Leap Micro, Aeon, Kalpa: SUSE systems with a read-only file system.
const TRANSACTIONAL_ID = /micro|aeon|kalpa/;

// Exit statuses 100 to 103 are informational. 103: zypper itself was upgraded, and the new version must do the rest.
// The lock timeout is in seconds.
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

// 106: a repository was skipped. The command succeeded, but updates may be missing.
const FAIL_ON_SKIPPED_REPO = zypperScript('100|101|102|103');
// 107: a package script failed after the installation.
const TOLERATE_WARNINGS = zypperScript('100|101|102|103|106|107');

// Rolling releases need dist-upgrade: `update` leaves incompatible packages.
const CHOOSE_VERB = `verb=update
while read -r line; do
  case $line in ID=*tumbleweed*|ID=*slowroll*) verb=dist-upgrade ;; esac
done </etc/os-release`;

const DOWNLOAD = `${CHOOSE_VERB}
set -- "$verb" "$@" --download-only
${FAIL_ON_SKIPPED_REPO}`;

// Does not refresh, so that the staged versions are applied.
const APPLY = `${CHOOSE_VERB}
set -- --no-refresh "$verb" "$@"
${TOLERATE_WARNINGS}`;

const DRY_RUN = `${CHOOSE_VERB}
exec zypper --non-interactive --xmlout --no-refresh "$verb" "$@" --dry-run`;

const ACCEPT_LICENSES = '--auto-agree-with-licenses';
const EXIT_REBOOT_NEEDED = 102;

/** zypper reports packages-to-change since 1.14.8 (2018). The last count is the final one. */
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
  install: packages =>
    installCommands(
      packages,
      scriptArgv(TOLERATE_WARNINGS, 'install', ACCEPT_LICENSES, '--no-recommends', '--', ...packages),
    ),
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
