// Debian, Ubuntu and derivatives. `upgrade --with-new-pkgs` installs new kernels and, unlike `dist-upgrade`, never
// removes a package.

import type { Argv, HostQuery } from '../../../domain/command.ts';
import { scriptArgv } from '../../../domain/command.ts';
import { outputLines } from '../command-output.ts';
import type { OsDriver } from '../os-driver.ts';
import { installCommands } from '../shared-commands.ts';
import { rebootRequiredQuery } from './reboot-required.ts';

// apt-get has an option to wait for the dpkg lock, but not for the locks of lists and archives; dpkg waits for none.
/** 120 attempts at 5 seconds, the same time as `DPkg::Lock::Timeout`. */
const retryWhileLocked = (precheck: string, locked: string): string => `LC_ALL=C
export LC_ALL
retries=120
while :; do
${precheck}  output=$("$@" 2>&1)
  code=$?
  case $code:$output in
${locked}
  *) retries=0 ;;
  esac
  [ "$retries" -gt 0 ] || break
  retries=$((retries - 1))
  sleep 5
done
[ "$code" = 0 ] || exec >&2
printf '%s\\n' "$output"
exit "$code"`;

// apt-get checks the same files: without one, no dpkg run was interrupted. One also exists during an upgrade.
const FIND_DPKG_JOURNAL = 'for journal in /var/lib/dpkg/updates/[0-9]*; do break; done';

const checkJournal = (then: string): string => `  ${FIND_DPKG_JOURNAL}
  [ -e "$journal" ] ${then} exit 0
`;

// apt-get has already waited for the dpkg lock.
const APT_LOCKED = `  0:*|*'E: Could not get lock /var/lib/dpkg/'*) retries=0 ;;
  *'E: Could not get lock '*) ;;`;

const RUN_WHEN_UNLOCKED = retryWhileLocked('', APT_LOCKED);

// During or after an interrupted dpkg run apt-get refuses to download. `apply` then downloads the packages.
const DOWNLOAD_WHEN_UNLOCKED = retryWhileLocked(checkJournal('&&'), APT_LOCKED);

// After an interrupted upgrade, apt-get refuses everything until dpkg has completed it. dpkg is called only in this
// case, because it fails while another process holds its lock.
const REPAIR_DPKG = retryWhileLocked(checkJournal('||'), "  2:*'locked by another process'*) ;;");

// A simulated upgrade needs no lock and no network. An interrupted dpkg run counts as an update, which completes it.

const DPKG_INTERRUPTED = 'hostler-dpkg-interrupted';

const SIMULATE_SCRIPT = `LC_ALL=C
export LC_ALL
${FIND_DPKG_JOURNAL}
[ -e "$journal" ] && echo ${DPKG_INTERRUPTED} && exit
exec "$@"`;

const CHANGE = /^(?:Inst|Conf|Remv|Purg) /;
const SUMMARY = /^[0-9]+ upgraded, [0-9]+ newly installed, /;

const updatesQuery = (simulation: Argv): HostQuery<boolean> => ({
  argv: scriptArgv(SIMULATE_SCRIPT, ...simulation),
  parse: result => {
    const lines = outputLines(result);
    if (result.exitCode !== 0) return undefined;
    if (lines.some(line => line === DPKG_INTERRUPTED || CHANGE.test(line))) return true;
    return lines.some(line => SUMMARY.test(line)) ? false : undefined;
  },
});

/** Prevents questions of debconf and the pager of apt-listchanges. */
const NONINTERACTIVE_ENV = ['DEBIAN_FRONTEND=noninteractive', 'APT_LISTCHANGES_FRONTEND=none'];

/** Keeps configuration files that were changed on the host. */
const APT_OPTIONS = [
  'Dpkg::Options::=--force-confdef',
  'Dpkg::Options::=--force-confold',
  'DPkg::Lock::Timeout=600',
].flatMap(option => ['-o', option]);

const noninteractive = (...argv: Argv): Argv => ['env', ...NONINTERACTIVE_ENV, ...argv];

const aptGet = (...args: string[]): Argv => noninteractive('apt-get', '-q', '-y', ...APT_OPTIONS, ...args);

const updateLists = (...options: string[]): Argv => scriptArgv(RUN_WHEN_UNLOCKED, ...aptGet(...options, 'update'));

const repair = scriptArgv(
  REPAIR_DPKG,
  ...noninteractive('dpkg', '--force-confdef', '--force-confold', '--configure', '-a'),
);

const UPGRADE_ARGS = ['upgrade', '--with-new-pkgs'];

export const apt: OsDriver = {
  type: 'apt',
  summary: 'Debian, Ubuntu and derivatives; packages with apt-get',
  osNames: ['debian', 'ubuntu'],
  matchOs: (id, { isOstree }) => (apt.osNames.includes(id) && !isOstree ? id : undefined),
  requiredTools: ['apt-get'],
  install: packages =>
    installCommands(packages, repair, updateLists(), aptGet('install', '--no-install-recommends', '--', ...packages)),
  upgrade: {
    // With the option, apt-get fails if a repository does not respond; by default it uses the old lists and reports no
    // updates. Staging does not repair dpkg, because that runs package scripts, which can restart services.
    stage: [
      updateLists('-o', 'APT::Update::Error-Mode=any'),
      scriptArgv(DOWNLOAD_WHEN_UNLOCKED, ...aptGet('--download-only', ...UPGRADE_ARGS)),
    ],
    hasUpdates: updatesQuery(aptGet('--simulate', ...UPGRADE_ARGS)),
    apply: [repair, aptGet(...UPGRADE_ARGS)],
  },
  rebootRequired: rebootRequiredQuery,
};
