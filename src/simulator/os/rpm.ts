import type { Argv, CommandResult } from '../../domain/command.ts';
import { dnf } from '../../drivers/os/dnf/dnf.ts';
import { yum } from '../../drivers/os/yum/yum.ts';
import type { CommandSimulator, MachineTemplate, SimulatedMachine } from '../simulated-machine.ts';
import { isSameScript, positionalArgs, simulatedResult, stripEnv } from '../simulated-machine.ts';
import { applyUpgrades, availableUpgrades, downloadUpgrades, installPackages } from './software.ts';

interface RpmTool {
  /** Of the driver: prints whether a reboot is needed. */
  readonly sendRebootQuery: Argv;
  readonly program: string;
  readonly tools: readonly string[];
  readonly diskFull: string;
  unknownPackage(name: string): string;
  /** By OS name. */
  readonly osReleases: Readonly<Record<string, string>>;
}

const OLD_KERNEL_FILE = 'simulated-old-kernel';

const DONE = simulatedResult(0, 'Complete!\n');
const NOTHING_TO_DO = simulatedResult(0, 'Nothing to do.\n');

function upgrade(machine: SimulatedMachine, args: readonly string[], tool: RpmTool): CommandResult {
  if (args.includes('--assumeno'))
    return availableUpgrades(machine).size === 0
      ? NOTHING_TO_DO
      : simulatedResult(1, 'Transaction Summary\n', 'Operation aborted.\n');
  if (machine.isDiskFull) return simulatedResult(1, '', tool.diskFull);
  if (downloadUpgrades(machine).size === 0) return NOTHING_TO_DO;
  if (args.includes('--downloadonly'))
    return simulatedResult(0, 'Complete!\nThe downloaded packages were saved in cache.\n');
  if (applyUpgrades(machine).has('kernel')) machine.runFiles.set(OLD_KERNEL_FILE, '');
  return DONE;
}

function executeRpmTool(machine: SimulatedMachine, args: readonly string[], tool: RpmTool): CommandResult | undefined {
  const [verb, ...names] = positionalArgs(args);
  switch (verb) {
    case 'clean':
      return simulatedResult(0);
    case 'check-update':
      return simulatedResult(availableUpgrades(machine).size === 0 ? 0 : 100);
    case 'upgrade':
      return upgrade(machine, args, tool);
    case 'install':
      return installPackages(machine, names, {
        unknown: name => simulatedResult(1, '', tool.unknownPackage(name)),
        diskFull: simulatedResult(1, '', tool.diskFull),
        done: DONE,
      });
    default:
      return undefined;
  }
}

const toTemplate = (osRelease: string, tools: readonly string[]): MachineTemplate => ({
  osRelease,
  tools,
  packages: { kernel: '5.14.0-427', glibc: '2.34-100', 'openssh-server': '8.7p1-38' },
  available: { kernel: '5.14.0-503', glibc: '2.34-125', curl: '7.76.1-31', etcd: '3.5.9-1', docker: '27.3.1-1' },
});

const simulateRpmTool = (tool: RpmTool): CommandSimulator => ({
  templates: Object.fromEntries(
    Object.entries(tool.osReleases).map(([os, osRelease]) => [os, toTemplate(osRelease, tool.tools)]),
  ),
  execute: (machine, argv) => {
    if (isSameScript(argv, tool.sendRebootQuery))
      return simulatedResult(0, machine.runFiles.has(OLD_KERNEL_FILE) ? 'reboot-needed\n' : 'reboot-not-needed\n');
    const [program, ...args] = stripEnv(argv);
    return program === tool.program ? executeRpmTool(machine, args, tool) : undefined;
  },
});

export const simulatedDnf = simulateRpmTool({
  sendRebootQuery: dnf.rebootRequired.argv,
  program: 'dnf',
  tools: ['dnf', 'yum'],
  diskFull:
    'Error: Transaction test error:\n  installing package kernel-core-5.14.0-503 needs 121MB more space on the / filesystem\n',
  unknownPackage: name => `No match for argument: ${name}\nError: Unable to find a match: ${name}\n`,
  osReleases: {
    fedora: 'NAME="Fedora Linux"\nID=fedora\nVERSION_ID=43\nVARIANT_ID=server\n',
    centos: 'NAME="CentOS Stream"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="9"\n',
    rhel: 'NAME="Red Hat Enterprise Linux"\nID="rhel"\nID_LIKE="fedora"\nVERSION_ID="9.5"\n',
    rocky: 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"\n',
    almalinux: 'NAME="AlmaLinux"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"\n',
  },
});

/** Fedora, Rocky Linux and AlmaLinux have used dnf for years; the templates cover old hosts. */
export const simulatedYum = simulateRpmTool({
  sendRebootQuery: yum.rebootRequired.argv,
  program: 'yum',
  tools: ['yum'],
  diskFull:
    'Error downloading packages:\n  Insufficient space in download directory /var/cache/yum\n    * free   0 \n    * needed 121 M\n',
  unknownPackage: name => `No package ${name} available.\nError: Not tolerating missing names on install, stopping.\n`,
  osReleases: {
    fedora: 'NAME=Fedora\nID=fedora\nVERSION_ID=21\n',
    centos: 'NAME="CentOS Linux"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="7"\n',
    rhel: 'NAME="Red Hat Enterprise Linux Server"\nID="rhel"\nID_LIKE="fedora"\nVERSION_ID="7.9"\n',
    rocky: 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.4"\n',
    almalinux: 'NAME="AlmaLinux"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.4"\n',
  },
});
