import type { Argv, HostQuery } from '../../../domain/command.ts';
import type { OsDriver } from '../os-driver.ts';
import { RPM_OS_NAMES, rpmOsName, rpmRebootRequired } from '../rpm.ts';
import { installCommands } from '../shared-commands.ts';

const yumCommand = (...args: string[]): Argv => ['yum', '-y', ...args];

const EXIT_UPDATES_AVAILABLE = 100;

/** A declined upgrade would leave a file in /tmp, and yum skips no packages. Does not wait for the lock. */
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
  // By default, yum succeeds if only some of the packages are available.
  install: packages =>
    installCommands(packages, yumCommand('--setopt=skip_missing_names_on_install=False', 'install', ...packages)),
  upgrade: {
    stage: [yumCommand('clean', 'expire-cache'), yumCommand('upgrade', '--downloadonly')],
    hasUpdates,
    apply: [yumCommand('upgrade')],
  },
  rebootRequired: rpmRebootRequired('needs-restarting', '-r'),
};
