// The family of RHEL 7, which has no dnf.

import type { Argv, HostQuery } from '../../../domain/command.ts';
import type { OsDriver } from '../os-driver.ts';
import { RPM_OS_NAMES, rpmOsName, rpmRebootRequired } from '../rpm.ts';
import { enableServices, installCommands } from '../shared-commands.ts';

const yumCommand = (...args: string[]): Argv => ['yum', '-y', ...args];

const EXIT_UPDATES_AVAILABLE = 100;

/**
 * An upgrade that is refused at its question leaves a file in /tmp, so yum is only asked what there is. It never skips anything unless
 * it is configured to. Who holds the lock is not waited for.
 */
const hasUpdates: HostQuery<boolean> = {
  argv: ['yum', '--cacheonly', '--setopt=exit_on_lock=True', 'check-update'],
  parse: ({ exitCode }) => (exitCode === EXIT_UPDATES_AVAILABLE ? true : exitCode === 0 ? false : undefined),
};

export const yum: OsDriver = {
  type: 'yum',
  summary: 'CentOS 7, RHEL 7 and derivatives; packages with yum',
  osNames: RPM_OS_NAMES,
  matchOs: (id, traits) => (traits.tools.has('dnf') ? undefined : rpmOsName(id, traits)),
  requiredTools: ['yum'],
  requiredPackages: [],
  // By default yum is content when one of several packages is there.
  install: packages =>
    installCommands(
      packages,
      yumCommand('--setopt=skip_missing_names_on_install=False', 'install', ...packages),
    ),
  enable: enableServices,
  upgrade: {
    stage: [yumCommand('clean', 'expire-cache'), yumCommand('upgrade', '--downloadonly')],
    hasUpdates,
    apply: [yumCommand('upgrade')],
  },
  // From yum-utils, where it is installed.
  rebootRequired: rpmRebootRequired('needs-restarting', '-r'),
};
