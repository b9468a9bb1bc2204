// Fedora, and the family of RHEL from 8 on: dnf, as well as dnf5 under the same name.

import type { Argv, Question } from '../../../domain/command.ts';
import { textOf } from '../answer-text.ts';
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

/**
 * The upgrade itself, refused at its only question. `check-update` also names what the upgrade skips for its dependencies: there would
 * be something to do for ever. To refuse ends with 1, as every failure does, so the words count; dnf5 adds "by the user". A list that
 * is missing is a failure and not nothing to do, and who holds the lock is not waited for.
 */
const pending: Question<boolean> = {
  argv: [
    ...(['env', 'LC_ALL=C', 'dnf', '--cacheonly', ...STRICT] as const),
    ...['--setopt=exit_on_lock=True', 'upgrade', '--assumeno'],
  ],
  read: ({ exitCode, stdout, stderr }) => {
    const isSaid = (words: string) => [stdout, stderr].some(bytes => textOf(bytes).includes(words));
    if (exitCode === 0) return isSaid('Nothing to do.') ? false : undefined;
    return exitCode === 1 && isSaid('Operation aborted') ? true : undefined;
  },
};

export const dnf: OsDriver = {
  type: 'dnf',
  summary: 'Fedora, CentOS, RHEL, Rocky Linux and AlmaLinux; packages with dnf',
  systems: RPM_SYSTEMS,
  recognise: (id, traits) => (traits.tools.has('dnf') ? rpmSystem(id, traits) : undefined),
  needs: ['dnf'],
  ownPackages: [],
  install: packages =>
    installing(packages, dnf4or5('--setopt=install_weak_deps=False', 'install', ...packages)),
  enable: enableServices,
  upgrade: {
    stage: [dnf4or5(...STRICT, '--refresh', 'upgrade', '--downloadonly')],
    pending,
    apply: [dnf4or5('upgrade')],
  },
  rebootNeed: rpmRebootNeed(...dnf4or5('needs-restarting', '-r')),
};
