import type { CommandResult } from '../../domain/command.ts';
import { dnf } from '../../drivers/os/dnf/dnf.ts';
import { yum } from '../../drivers/os/yum/yum.ts';
import type { CommandSimulator, MachineTemplate, SimulatedMachine } from '../simulated-machine.ts';
import { isSameScript, positionalArgs, simulatedResult, stripEnv } from '../simulated-machine.ts';
import { applyUpgrades, availableUpgrades, downloadUpgrades, installPackages, unknownPackages } from './software.ts';

export interface RpmMessages {
  readonly diskFull: string;
  unknown(name: string): string;
}

const OLD_KERNEL_FILE = 'simulated-old-kernel';

export function executeRpmTool(
  machine: SimulatedMachine,
  args: readonly string[],
  messages: RpmMessages,
): CommandResult | undefined {
  const [verb, ...names] = positionalArgs(args);
  const diskFull = machine.isDiskFull ? simulatedResult(1, '', messages.diskFull) : undefined;
  switch (verb) {
    case 'clean':
      return simulatedResult(0);
    case 'check-update':
      return simulatedResult(availableUpgrades(machine).size === 0 ? 0 : 100);
    case 'upgrade': {
      if (args.includes('--assumeno'))
        return availableUpgrades(machine).size === 0
          ? simulatedResult(0, 'Nothing to do.\n')
          : simulatedResult(1, 'Transaction Summary\n', 'Operation aborted.\n');
      if (diskFull) return diskFull;
      if (downloadUpgrades(machine).size === 0) return simulatedResult(0, 'Nothing to do.\n');
      if (args.includes('--downloadonly'))
        return simulatedResult(0, 'Complete!\nThe downloaded packages were saved in cache.\n');
      if (applyUpgrades(machine).has('kernel')) machine.runFiles.set(OLD_KERNEL_FILE, '');
      return simulatedResult(0, 'Complete!\n');
    }
    case 'install': {
      const [unknown] = unknownPackages(machine, names);
      if (unknown !== undefined) return simulatedResult(1, '', messages.unknown(unknown));
      if (diskFull) return diskFull;
      installPackages(machine, names);
      return simulatedResult(0, 'Complete!\n');
    }
    default:
      return undefined;
  }
}

export const rpmRebootResult = ({ runFiles }: SimulatedMachine): CommandResult =>
  simulatedResult(0, runFiles.has(OLD_KERNEL_FILE) ? 'reboot-needed\n' : 'reboot-not-needed\n');

export const rpmTemplate = (osRelease: string, ...tools: readonly string[]): MachineTemplate => ({
  osRelease,
  tools,
  packages: { kernel: '5.14.0-427', glibc: '2.34-100', 'openssh-server': '8.7p1-38' },
  available: {
    kernel: '5.14.0-503',
    glibc: '2.34-125',
    curl: '7.76.1-31',
    etcd: '3.5.9-1',
    docker: '27.3.1-1',
  },
});

const DNF_MESSAGES = {
  diskFull:
    'Error: Transaction test error:\n  installing package kernel-core-5.14.0-503 needs 121MB more space on the / filesystem\n',
  unknown: (name: string) => `No match for argument: ${name}\nError: Unable to find a match: ${name}\n`,
};

export const simulatedDnf: CommandSimulator = {
  templates: {
    fedora: rpmTemplate('NAME="Fedora Linux"\nID=fedora\nVERSION_ID=43\nVARIANT_ID=server\n', 'dnf', 'yum'),
    centos: rpmTemplate('NAME="CentOS Stream"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="9"\n', 'dnf', 'yum'),
    rhel: rpmTemplate('NAME="Red Hat Enterprise Linux"\nID="rhel"\nID_LIKE="fedora"\nVERSION_ID="9.5"\n', 'dnf', 'yum'),
    rocky: rpmTemplate(
      'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"\n',
      'dnf',
      'yum',
    ),
    almalinux: rpmTemplate(
      'NAME="AlmaLinux"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"\n',
      'dnf',
      'yum',
    ),
  },
  execute: (machine, argv) => {
    if (isSameScript(argv, dnf.rebootRequired.argv)) return rpmRebootResult(machine);
    const [program, ...args] = stripEnv(argv);
    return program === 'dnf' ? executeRpmTool(machine, args, DNF_MESSAGES) : undefined;
  },
};

const YUM_MESSAGES = {
  diskFull:
    'Error downloading packages:\n  Insufficient space in download directory /var/cache/yum\n    * free   0 \n    * needed 121 M\n',
  unknown: (name: string) =>
    `No package ${name} available.\nError: Not tolerating missing names on install, stopping.\n`,
};

/** Fedora, Rocky Linux and AlmaLinux have used dnf for years; the templates cover old hosts. */
export const simulatedYum: CommandSimulator = {
  templates: {
    fedora: rpmTemplate('NAME=Fedora\nID=fedora\nVERSION_ID=21\n', 'yum'),
    centos: rpmTemplate('NAME="CentOS Linux"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="7"\n', 'yum'),
    rhel: rpmTemplate('NAME="Red Hat Enterprise Linux Server"\nID="rhel"\nID_LIKE="fedora"\nVERSION_ID="7.9"\n', 'yum'),
    rocky: rpmTemplate('NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.4"\n', 'yum'),
    almalinux: rpmTemplate('NAME="AlmaLinux"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.4"\n', 'yum'),
  },
  execute: (machine, argv) => {
    if (isSameScript(argv, yum.rebootRequired.argv)) return rpmRebootResult(machine);
    const [program, ...args] = argv;
    return program === 'yum' ? executeRpmTool(machine, args, YUM_MESSAGES) : undefined;
  },
};
