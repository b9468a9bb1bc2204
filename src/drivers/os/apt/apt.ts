import type { Argv, HostQuery } from '../../../domain/command.ts';
import { outputLines } from '../command-output.ts';
import type { OsDriver } from '../os-driver.ts';
import { enableServices, installCommands } from '../shared-commands.ts';
import { rebootRequiredQuery } from './reboot-required.ts';

// Scripts that run the command they are given, and wait while somebody else is at work. Timers of the system upgrade too. apt-get
// waits by itself for the lock of dpkg, by an option, but not for those of the lists and of the archive; dpkg waits for none. Every
// other failure is the command's own, and nothing is tried again for it.

/** As long as apt-get waits by its option: 120 times 5 seconds. */
const retryWhileLocked = (precheck: string, locked: string): string => `LC_ALL=C
export LC_ALL
left=120
while :; do
${precheck}  said=$("$@" 2>&1)
  code=$?
  case $code:$said in
${locked}
  *) left=0 ;;
  esac
  [ "$left" -gt 0 ] || break
  left=$((left - 1))
  sleep 5
done
[ "$code" = 0 ] || exec >&2
printf '%s\\n' "$said"
exit "$code"`;

// What apt-get looks for itself: without such a file nothing was broken off. While somebody upgrades there is one, too.
export const FIND_DPKG_JOURNAL = 'for journal in /var/lib/dpkg/updates/[0-9]*; do break; done';

const checkJournal = (then: string): string => `  ${FIND_DPKG_JOURNAL}
  [ -e "$journal" ] ${then} exit 0
`;

// When it could not have the lock of dpkg, apt-get has waited already.
const APT_LOCKED = `  0:*|*'E: Could not get lock /var/lib/dpkg/'*) left=0 ;;
  *'E: Could not get lock '*) ;;`;

export const RUN_WHEN_UNLOCKED = retryWhileLocked('', APT_LOCKED);

// While something is broken off or under way, apt-get refuses. What is not downloaded now is downloaded when it is applied.
export const DOWNLOAD_WHEN_UNLOCKED = retryWhileLocked(checkJournal('&&'), APT_LOCKED);

// A host that went down in the middle of an upgrade refuses everything until dpkg has finished it. To call dpkg always would be
// wrong: it fails whenever somebody else holds its lock.
export const REPAIR_DPKG = retryWhileLocked(checkJournal('||'), "  2:*'locked by another process'*) ;;");

// Whether an upgrade would change anything, by the lists that are there: apt-get simulates it, without a lock. What was broken off
// has a journal of dpkg, and is finished by the upgrade; so is what was unpacked and not configured, which the simulation tells.

const DPKG_INTERRUPTED = 'hostler-broken-off';

const SIMULATE_SCRIPT = `LC_ALL=C
export LC_ALL
${FIND_DPKG_JOURNAL}
[ -e "$journal" ] && echo ${DPKG_INTERRUPTED} && exit
exec "$@"`;

const CHANGE = /^(?:Inst|Conf|Remv|Purg) /;
const SUMMARY = /^[0-9]+ upgraded, [0-9]+ newly installed, /;

/** `simulation` is how apt-get is called. */
export const updatesQuery = (simulation: Argv): HostQuery<boolean> => ({
  argv: ['sh', '-c', SIMULATE_SCRIPT, 'sh', ...simulation],
  parse: result => {
    const lines = outputLines(result);
    if (result.exitCode !== 0) return undefined;
    if (lines.some(line => line === DPKG_INTERRUPTED || CHANGE.test(line))) return true;
    return lines.some(line => SUMMARY.test(line)) ? false : undefined;
  },
});

// Debian, Ubuntu and what is like them. `upgrade --with-new-pkgs` installs a new kernel beside the old one, and never removes a
// package, as `dist-upgrade` would.

/** Nobody is there to answer debconf, or to leave the pager of apt-listchanges. */
const NONINTERACTIVE_ENV = ['DEBIAN_FRONTEND=noninteractive', 'APT_LISTCHANGES_FRONTEND=none'];

/** Of a configuration file that was changed on the host, the host's version stays. */
const APT_OPTIONS = [
  ['-o', 'Dpkg::Options::=--force-confdef'],
  ['-o', 'Dpkg::Options::=--force-confold'],
  // Seconds. Timers of the system upgrade too, and hold the lock meanwhile.
  ['-o', 'DPkg::Lock::Timeout=600'],
].flat();

const aptGet = (...args: string[]): Argv => [
  'env',
  ...NONINTERACTIVE_ENV,
  'apt-get',
  '-q',
  '-y',
  ...APT_OPTIONS,
  ...args,
];

const updateLists = (...options: string[]): Argv => [
  'sh',
  '-c',
  RUN_WHEN_UNLOCKED,
  'sh',
  ...aptGet(...options, 'update'),
];

const repair: Argv = [
  ...(['sh', '-c', REPAIR_DPKG, 'sh', 'env', ...NONINTERACTIVE_ENV] as const),
  ...['dpkg', '--force-confdef', '--force-confold', '--configure', '-a'],
];

const UPGRADE_ARGS = ['upgrade', '--with-new-pkgs'];

export const apt: OsDriver = {
  type: 'apt',
  summary: 'Debian, Ubuntu and derivatives; packages with apt-get',
  osNames: ['debian', 'ubuntu'],
  matchOs: (id, { isOstree }) => (apt.osNames.includes(id) && !isOstree ? id : undefined),
  requiredTools: ['apt-get'],
  requiredPackages: [],
  install: packages =>
    installCommands(
      packages,
      repair,
      updateLists(),
      aptGet('install', '--no-install-recommends', '--', ...packages),
    ),
  enable: enableServices,
  upgrade: {
    // Without the option apt-get takes old lists for good when their server does not answer, and there is nothing to upgrade.
    // No repair: that runs the scripts of packages, which may restart what they belong to.
    stage: [
      updateLists('-o', 'APT::Update::Error-Mode=any'),
      ['sh', '-c', DOWNLOAD_WHEN_UNLOCKED, 'sh', ...aptGet('--download-only', ...UPGRADE_ARGS)],
    ],
    hasUpdates: updatesQuery(aptGet('--simulate', ...UPGRADE_ARGS)),
    apply: [repair, aptGet(...UPGRADE_ARGS)],
  },
  rebootRequired: rebootRequiredQuery,
};
