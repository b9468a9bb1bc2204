// The family of RHEL 7, which has no dnf.

import type { Argv, Question } from '../../../domain/command.ts';
import { installing } from '../install.ts';
import type { OsDriver } from '../os-driver.ts';
import { rpmRebootNeed } from '../rpm-reboot-need.ts';
import { RPM_SYSTEMS, rpmSystem } from '../rpm-systems.ts';
import { enableServices } from '../systemctl.ts';

const yum3 = (...args: string[]): Argv => ['yum', '-y', ...args];

const SOME = 100;

/**
 * An upgrade that is refused at its question leaves a file in /tmp, so yum is only asked what there is. It never skips anything unless
 * it is configured to. Who holds the lock is not waited for.
 */
const pending: Question<boolean> = {
  argv: ['yum', '--cacheonly', '--setopt=exit_on_lock=True', 'check-update'],
  read: ({ exitCode }) => (exitCode === SOME ? true : exitCode === 0 ? false : undefined),
};

export const yum: OsDriver = {
  type: 'yum',
  summary: 'CentOS 7, RHEL 7 and derivatives; packages with yum',
  systems: RPM_SYSTEMS,
  recognise: (id, traits) => (traits.tools.has('dnf') ? undefined : rpmSystem(id, traits)),
  needs: ['yum'],
  ownPackages: [],
  // By default yum is content when one of several packages is there.
  install: packages =>
    installing(packages, yum3('--setopt=skip_missing_names_on_install=False', 'install', ...packages)),
  enable: enableServices,
  upgrade: {
    stage: [yum3('clean', 'expire-cache'), yum3('upgrade', '--downloadonly')],
    pending,
    apply: [yum3('upgrade')],
  },
  // From yum-utils, where it is installed.
  rebootNeed: rpmRebootNeed('needs-restarting', '-r'),
};
