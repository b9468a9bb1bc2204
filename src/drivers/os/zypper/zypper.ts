// openSUSE and SUSE Linux Enterprise. Those that are upgraded as a whole, by transactional-update, are none of ours.

import type { Argv, Question } from '../../../domain/command.ts';
import { textOf } from '../answer-text.ts';
import { installing } from '../install.ts';
import type { OsDriver } from '../os-driver.ts';
import { enableServices } from '../systemctl.ts';

const IDS = new Set([
  ...['opensuse', 'opensuse-leap', 'opensuse-tumbleweed', 'opensuse-slowroll'],
  ...['suse', 'sles', 'sled', 'sles_sap', 'sle_hpc'],
]);

// SLE Micro, openSUSE MicroOS, Leap Micro, Aeon, Kalpa: like SUSE by name, and with a file system that zypper cannot write.
const IS_TRANSACTIONAL = /micro|aeon|kalpa/;

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
const STRICT = zypperScript('100|101|102|103');
// 107: the script of a package failed, after it was installed.
const LENIENT = zypperScript('100|101|102|103|106|107');

// What rolls is upgraded only as a whole: there `update` leaves packages behind that do not fit each other any more.
const VERB = `verb=update
while read -r line; do
  case $line in ID=*tumbleweed*|ID=*slowroll*) verb=dist-upgrade ;; esac
done </etc/os-release`;

const DOWNLOAD = `${VERB}
set -- "$verb" "$@" --download-only
${STRICT}`;

// By the lists of the download, so that what was staged is what is applied.
const APPLY = `${VERB}
set -- --no-refresh "$verb" "$@"
${LENIENT}`;

// Who holds the lock is not waited for.
const DRY_RUN = `${VERB}
exec zypper --non-interactive --xmlout --no-refresh "$verb" "$@" --dry-run`;

const run = (script: string, ...args: string[]): Argv => ['sh', '-c', script, 'sh', ...args];

const AGREE = '--auto-agree-with-licenses';
const NEEDED = 102;

/** By the lists of the download. Zypper counts what would change since 1.14.8, of 2018; the last count is that of what it would do. */
const pending: Question<boolean> = {
  argv: run(DRY_RUN, AGREE),
  read: ({ exitCode, stdout }) => {
    const counts = [...textOf(stdout).matchAll(/<install-summary ([^<>]*)>/g)].flatMap(
      ([, attributes = '']) => /(?:^|\s)packages-to-change="([0-9]+)"/.exec(attributes)?.[1] ?? [],
    );
    const count = counts.at(-1);
    const isAnswer = exitCode === 0 || (exitCode >= 100 && exitCode <= 103);
    return isAnswer && count !== undefined ? Number(count) > 0 : undefined;
  },
};

export const zypper: OsDriver = {
  type: 'zypper',
  summary: 'openSUSE and SUSE Linux Enterprise; packages with zypper',
  systems: ['opensuse'],
  recognise: (id, traits) => {
    const isTransactional = traits.tools.has('transactional-update') || IS_TRANSACTIONAL.test(traits.id);
    return IDS.has(id) && !traits.isOstree && !isTransactional ? 'opensuse' : undefined;
  },
  needs: ['zypper'],
  ownPackages: [],
  install: packages =>
    installing(packages, run(LENIENT, 'install', AGREE, '--no-recommends', '--', ...packages)),
  enable: enableServices,
  upgrade: {
    stage: [run(STRICT, 'refresh'), run(DOWNLOAD, AGREE)],
    pending,
    apply: [run(APPLY, AGREE)],
  },
  rebootNeed: {
    argv: ['zypper', '--non-interactive', 'needs-rebooting'],
    read: ({ exitCode }) => (exitCode === NEEDED ? true : exitCode === 0 ? false : undefined),
  },
};
