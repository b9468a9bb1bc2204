// Fedora, and the family of RHEL from 8 on: dnf, as well as dnf5 under the same name.

import type { Argv } from '../../../domain/command.ts';
import type { OsDriver } from '../os-driver.ts';
import { rpmRebootNeed } from '../rpm-reboot-need.ts';
import { RPM_SYSTEMS, rpmSystem } from '../rpm-systems.ts';
import { enableServices } from '../systemctl.ts';

const dnf4or5 = (...args: string[]): Argv => ['dnf', '-y', ...args];

export const dnf: OsDriver = {
  type: 'dnf',
  summary: 'Fedora, CentOS, RHEL, Rocky Linux and AlmaLinux: packages by dnf',
  systems: RPM_SYSTEMS,
  recognise: (id, traits) => (traits.tools.has('dnf') ? rpmSystem(id, traits) : undefined),
  ownPackages: [],
  install: packages =>
    packages.length === 0 ? [] : [dnf4or5('--setopt=install_weak_deps=False', 'install', ...packages)],
  enable: enableServices,
  upgrade: {
    stage: [dnf4or5('--refresh', 'upgrade', '--downloadonly')],
    apply: [dnf4or5('upgrade')],
  },
  rebootNeed: rpmRebootNeed(...dnf4or5('needs-restarting', '-r')),
};
