// What dnf and yum have in common on a pretend host.

import type { Ran } from '../../domain/command.ts';
import type { Machine, MachineBlueprint } from '../machine.ts';
import { said, wordsOf } from './fake-answers.ts';
import { applyUpgrades, downloadUpgrades, installPackages, unknownTo, upgradesFor } from './fake-packages.ts';

/** What each says when it cannot go on; both end with 1. */
export interface RpmWords {
  readonly diskFull: string;
  unknown(name: string): string;
}

/** A file that no system has; it remembers that the kernel which runs is not the newest one. */
const OLD_KERNEL = 'pretend-old-kernel';

export function rpmAnswer(machine: Machine, args: readonly string[], words: RpmWords): Ran | undefined {
  const [verb, ...names] = wordsOf(args);
  const full = machine.isDiskFull ? said(1, '', words.diskFull) : undefined;
  switch (verb) {
    case 'clean':
      return said(0);
    case 'check-update':
      return said(upgradesFor(machine).size === 0 ? 0 : 100);
    case 'upgrade': {
      if (args.includes('--assumeno'))
        return upgradesFor(machine).size === 0
          ? said(0, 'Nothing to do.\n')
          : said(1, 'Transaction Summary\n', 'Operation aborted.\n');
      if (full) return full;
      if (downloadUpgrades(machine).size === 0) return said(0, 'Nothing to do.\n');
      if (args.includes('--downloadonly'))
        return said(0, 'Complete!\nThe downloaded packages were saved in cache.\n');
      if (applyUpgrades(machine).has('kernel')) machine.run.set(OLD_KERNEL, '');
      return said(0, 'Complete!\n');
    }
    case 'install': {
      const [unknown] = unknownTo(machine, names);
      if (unknown !== undefined) return said(1, '', words.unknown(unknown));
      if (full) return full;
      installPackages(machine, names);
      return said(0, 'Complete!\n');
    }
    default:
      return undefined;
  }
}

export const rpmRebootAnswer = ({ run }: Machine): Ran =>
  said(0, run.has(OLD_KERNEL) ? 'reboot-needed\n' : 'reboot-not-needed\n');

/** A machine of one of these systems, by its os-release. */
export const rpmBlueprint = (osRelease: string, ...tools: readonly string[]): MachineBlueprint => ({
  osRelease,
  tools,
  packages: { kernel: '5.14.0-427', glibc: '2.34-100', 'openssh-server': '8.7p1-38' },
  offered: {
    kernel: '5.14.0-503',
    glibc: '2.34-125',
    curl: '7.76.1-31',
    etcd: '3.5.9-1',
    docker: '27.3.1-1',
  },
});
