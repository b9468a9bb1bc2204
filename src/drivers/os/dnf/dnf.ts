// Fedora, and the family of RHEL from 8 on: dnf, as well as dnf5 under the same name.

import type { Argv, HostQuery } from '../../../domain/command.ts';
import { decodeText } from '../command-output.ts';
import type { OsDriver } from '../os-driver.ts';
import { RPM_OS_NAMES, rpmOsName, rpmRebootRequired } from '../rpm.ts';
import { enableServices, installCommands } from '../shared-commands.ts';

const dnfCommand = (...args: string[]): Argv => ['dnf', '-y', ...args];

/**
 * Many repositories may be skipped when their server does not answer; then there would be nothing to upgrade. What a repository says
 * itself goes before what holds for all, so both are set.
 */
const FAIL_ON_SKIPPED_REPO = ['--setopt=*.skip_if_unavailable=False', '--setopt=skip_if_unavailable=False'];

/**
 * The upgrade itself, refused at its only question. `check-update` also names what the upgrade skips for its dependencies: there would
 * be something to do for ever. To refuse ends with 1, as every failure does, so the words count; dnf5 adds "by the user". A list that
 * is missing is a failure and not nothing to do, and who holds the lock is not waited for.
 */
const hasUpdates: HostQuery<boolean> = {
  argv: [
    ...(['env', 'LC_ALL=C', 'dnf', '--cacheonly', ...FAIL_ON_SKIPPED_REPO] as const),
    ...['--setopt=exit_on_lock=True', 'upgrade', '--assumeno'],
  ],
  parse: ({ exitCode, stdout, stderr }) => {
    const hasOutput = (text: string) => [stdout, stderr].some(bytes => decodeText(bytes).includes(text));
    if (exitCode === 0) return hasOutput('Nothing to do.') ? false : undefined;
    return exitCode === 1 && hasOutput('Operation aborted') ? true : undefined;
  },
};

export const dnf: OsDriver = {
  type: 'dnf',
  summary: 'Fedora, CentOS, RHEL, Rocky Linux and AlmaLinux; packages with dnf',
  osNames: RPM_OS_NAMES,
  matchOs: (id, traits) => (traits.tools.has('dnf') ? rpmOsName(id, traits) : undefined),
  requiredTools: ['dnf'],
  requiredPackages: [],
  install: packages =>
    installCommands(packages, dnfCommand('--setopt=install_weak_deps=False', 'install', ...packages)),
  enable: enableServices,
  upgrade: {
    stage: [dnfCommand(...FAIL_ON_SKIPPED_REPO, '--refresh', 'upgrade', '--downloadonly')],
    hasUpdates,
    apply: [dnfCommand('upgrade')],
  },
  rebootRequired: rpmRebootRequired(...dnfCommand('needs-restarting', '-r')),
};
