import type { Argv, HostQuery } from '../../../domain/command.ts';
import { decodeText } from '../command-output.ts';
import type { OsDriver } from '../os-driver.ts';
import { RPM_OS_NAMES, rpmOsName, rpmRebootRequired } from '../rpm.ts';
import { installCommands } from '../shared-commands.ts';

const dnfCommand = (...args: string[]): Argv => ['dnf', '-y', ...args];

/** Without this, dnf skips unavailable repositories. The setting of a repository overrides the global one. */
const FAIL_ON_SKIPPED_REPO = ['--setopt=*.skip_if_unavailable=False', '--setopt=skip_if_unavailable=False'];

// Declines the upgrade, because `check-update` also lists packages that the upgrade skips. Declining exits with 1 like
// all failures, so the output is checked; dnf5 adds "by the user". Missing lists are a failure.
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
  install: packages =>
    installCommands(packages, dnfCommand('--setopt=install_weak_deps=False', 'install', ...packages)),
  upgrade: {
    stage: [dnfCommand(...FAIL_ON_SKIPPED_REPO, '--refresh', 'upgrade', '--downloadonly')],
    hasUpdates,
    apply: [dnfCommand('upgrade')],
  },
  rebootRequired: rpmRebootRequired(...dnfCommand('needs-restarting', '-r')),
};
