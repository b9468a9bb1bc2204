// Fedora, and the family of RHEL from 8 on: dnf, as well as dnf5 under the same name.

import type { Argv } from '../../../domain/command.ts';
import { installing } from '../install.ts';
import type { OsDriver } from '../os-driver.ts';
import { rpmRebootNeed } from '../rpm-reboot-need.ts';
import { RPM_SYSTEMS, rpmSystem } from '../rpm-systems.ts';
import { enableServices } from '../systemctl.ts';

const dnf4or5 = (...args: string[]): Argv => ['dnf', '-y', ...args];

/**
 * Many repositories may be skipped when their server does not answer; then there would be nothing to upgrade. What a repository says
 * itself goes before what holds for all, so both are set.
 */
const STRICT = ['--setopt=*.skip_if_unavailable=False', '--setopt=skip_if_unavailable=False'];

export const dnf: OsDriver = {
  type: 'dnf',
  summary: 'Fedora, CentOS, RHEL, Rocky Linux and AlmaLinux: packages by dnf',
  systems: RPM_SYSTEMS,
  recognise: (id, traits) => (traits.tools.has('dnf') ? rpmSystem(id, traits) : undefined),
  needs: ['dnf'],
  ownPackages: [],
  install: packages =>
    installing(packages, dnf4or5('--setopt=install_weak_deps=False', 'install', ...packages)),
  enable: enableServices,
  upgrade: {
    stage: [dnf4or5(...STRICT, '--refresh', 'upgrade', '--downloadonly')],
    apply: [dnf4or5('upgrade')],
  },
  rebootNeed: rpmRebootNeed(...dnf4or5('needs-restarting', '-r')),
};
