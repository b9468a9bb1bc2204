// openSUSE and SUSE Linux Enterprise. Those that are upgraded as a whole, by transactional-update, are none of ours.

import type { Argv } from '../../../domain/command.ts';
import type { OsDriver } from '../os-driver.ts';
import { enableServices } from '../systemctl.ts';

const IDS = new Set([
  ...['opensuse', 'opensuse-leap', 'opensuse-tumbleweed', 'opensuse-slowroll'],
  ...['suse', 'sles', 'sled', 'sles_sap', 'sle_hpc'],
]);

// Of zypper's exit codes, 100 to 103 say something and are no failure. 103: zypper itself was upgraded, and the rest is left to the
// new one. The lock is waited for, in seconds.
const ZYPPER = `ZYPP_LOCK_TIMEOUT=600
export ZYPP_LOCK_TIMEOUT
zypper --non-interactive "$@"
code=$?
if [ "$code" = 103 ]; then
  zypper --non-interactive "$@"
  code=$?
fi
case $code in 100|101|102|103) exit 0 ;; esac
exit "$code"`;

// What rolls is upgraded only as a whole: there `update` leaves packages behind that do not fit each other any more.
const UPGRADE = `verb=update
while read -r line; do
  case $line in ID=*tumbleweed*|ID=*slowroll*) verb=dist-upgrade ;; esac
done </etc/os-release
set -- "$verb" "$@"
${ZYPPER}`;

const zypp = (...args: string[]): Argv => ['sh', '-c', ZYPPER, 'sh', ...args];
const upgrade = (...args: string[]): Argv => ['sh', '-c', UPGRADE, 'sh', ...args];

const AGREE = '--auto-agree-with-licenses';
const NEEDED = 102;

export const zypper: OsDriver = {
  type: 'zypper',
  summary: 'openSUSE and SUSE Linux Enterprise: packages by zypper',
  systems: ['opensuse'],
  recognise: (id, { isOstree, tools }) =>
    IDS.has(id) && !isOstree && !tools.has('transactional-update') ? 'opensuse' : undefined,
  ownPackages: [],
  install: packages =>
    packages.length === 0 ? [] : [zypp('install', AGREE, '--no-recommends', '--', ...packages)],
  enable: enableServices,
  upgrade: {
    stage: [zypp('refresh'), upgrade(AGREE, '--download-only')],
    apply: [upgrade(AGREE)],
  },
  rebootNeed: {
    argv: ['zypper', '--non-interactive', 'needs-rebooting'],
    read: ({ exitCode }) => (exitCode === NEEDED ? true : exitCode === 0 ? false : undefined),
  },
};
