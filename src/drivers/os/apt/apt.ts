// Debian, Ubuntu and what is like them. `upgrade --with-new-pkgs` installs a new kernel beside the old one, and never removes a
// package, as `dist-upgrade` would.

import type { Argv } from '../../../domain/command.ts';
import { installing } from '../install.ts';
import type { OsDriver } from '../os-driver.ts';
import { enableServices } from '../systemctl.ts';
import { DOWNLOAD, REPAIR, WAIT } from './locks.ts';
import { pendingBy } from './pending.ts';
import { rebootNeed } from './reboot-need.ts';

/** Nobody is there to answer debconf, or to leave the pager of apt-listchanges. */
const QUIET = ['DEBIAN_FRONTEND=noninteractive', 'APT_LISTCHANGES_FRONTEND=none'];

/** Of a configuration file that was changed on the host, the host's version stays. */
const OPTIONS = [
  ['-o', 'Dpkg::Options::=--force-confdef'],
  ['-o', 'Dpkg::Options::=--force-confold'],
  // Seconds. Timers of the system upgrade too, and hold the lock meanwhile.
  ['-o', 'DPkg::Lock::Timeout=600'],
].flat();

const aptGet = (...args: string[]): Argv => ['env', ...QUIET, 'apt-get', '-q', '-y', ...OPTIONS, ...args];

const update = (...options: string[]): Argv => ['sh', '-c', WAIT, 'sh', ...aptGet(...options, 'update')];

const repair: Argv = [
  ...(['sh', '-c', REPAIR, 'sh', 'env', ...QUIET] as const),
  ...['dpkg', '--force-confdef', '--force-confold', '--configure', '-a'],
];

const UPGRADE = ['upgrade', '--with-new-pkgs'];

export const apt: OsDriver = {
  type: 'apt',
  summary: 'Debian, Ubuntu and derivatives; packages with apt-get',
  systems: ['debian', 'ubuntu'],
  recognise: (id, { isOstree }) => (apt.systems.includes(id) && !isOstree ? id : undefined),
  needs: ['apt-get'],
  ownPackages: [],
  install: packages =>
    installing(packages, repair, update(), aptGet('install', '--no-install-recommends', '--', ...packages)),
  enable: enableServices,
  upgrade: {
    // Without the option apt-get takes old lists for good when their server does not answer, and there is nothing to upgrade.
    // No repair: that runs the scripts of packages, which may restart what they belong to.
    stage: [
      update('-o', 'APT::Update::Error-Mode=any'),
      ['sh', '-c', DOWNLOAD, 'sh', ...aptGet('--download-only', ...UPGRADE)],
    ],
    pending: pendingBy(aptGet('--simulate', ...UPGRADE)),
    apply: [repair, aptGet(...UPGRADE)],
  },
  rebootNeed,
};
