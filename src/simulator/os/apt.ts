import type { CommandResult } from '../../domain/command.ts';
import { rebootRequiredQuery } from '../../drivers/os/apt/reboot-required.ts';
import type { CommandSimulator, SimulatedMachine } from '../simulated-machine.ts';
import { isSameScript, parseShellScript, positionalArgs, simulatedResult, stripEnv } from '../simulated-machine.ts';
import { applyUpgrades, availableUpgrades, downloadUpgrades, installPackages } from './software.ts';

const KERNEL = 'linux-image-amd64';
/** Not a real file: holds the running kernel while a newer one is installed. */
const RUNNING_KERNEL_FILE = 'simulated-running-kernel';

const isUbuntu = ({ osRelease }: SimulatedMachine) => /^ID=ubuntu$/m.test(osRelease);

function upgrade(machine: SimulatedMachine, isDownload: boolean): CommandResult {
  const upgrades = downloadUpgrades(machine);
  const list = [...upgrades.keys()].join(' ');
  const header = `Reading package lists...\nThe following packages will be upgraded:\n  ${list}\n`;
  if (isDownload) return simulatedResult(0, `${header}Download complete and in download only mode\n`);
  const running = applyUpgrades(machine).get(KERNEL);
  if (running !== undefined) {
    machine.runFiles.set(RUNNING_KERNEL_FILE, running);
    if (isUbuntu(machine)) machine.runFiles.set('reboot-required', '*** System restart required ***\n');
  }
  return simulatedResult(
    0,
    `${header}${[...upgrades].map(([name, version]) => `Setting up ${name} (${version}) ...\n`).join('')}`,
  );
}

function simulate(machine: SimulatedMachine): CommandResult {
  const upgrades = [...availableUpgrades(machine)];
  const lines = ['Inst', 'Conf'].flatMap(word =>
    upgrades.map(([name, version]) => `${word} ${name} (${version} Debian:12.9/stable [amd64])`),
  );
  const summary = `${upgrades.length} upgraded, 0 newly installed, 0 to remove and 0 not upgraded.`;
  return simulatedResult(0, `${['Reading package lists...', summary, ...lines].join('\n')}\n`);
}

const DISK_FULL = simulatedResult(100, '', "E: You don't have enough free space in /var/cache/apt/archives/.\n");

function aptGet(machine: SimulatedMachine, args: readonly string[]): CommandResult | undefined {
  const [verb, ...packages] = positionalArgs(args);
  switch (verb) {
    case 'update':
      return simulatedResult(0, 'Hit:1 http://deb.example.org stable InRelease\nReading package lists...\n');
    case 'upgrade':
      if (args.includes('--simulate')) return simulate(machine);
      return machine.isDiskFull ? DISK_FULL : upgrade(machine, args.includes('--download-only'));
    case 'install':
      return installPackages(machine, packages, {
        unknown: name => simulatedResult(100, '', `E: Unable to locate package ${name}\n`),
        diskFull: DISK_FULL,
        done: simulatedResult(0, 'Reading package lists...\n'),
      });
    default:
      return undefined;
  }
}

function kernelReport({ packages, runFiles }: SimulatedMachine): string {
  const installed = packages.get(KERNEL) ?? '6.1.90-1';
  const running = runFiles.get(RUNNING_KERNEL_FILE) ?? installed;
  return [
    ...(runFiles.has('reboot-required') ? ['required yes'] : []),
    `running ${running}-amd64`,
    `kernel ${running}-amd64`,
    `kernel ${installed}-amd64`,
    `package ${running}`,
    `build Linux version ${running}-amd64 (gcc-12 (Debian 12.2.0-14)) #1 SMP Debian ${running} (2026-01-09)`,
    '',
  ].join('\n');
}

const COMMON = {
  tools: ['apt-get'],
  packages: { [KERNEL]: '6.1.90-1', openssl: '3.0.13-1', 'openssh-server': '1:9.2p1-2' },
  available: {
    [KERNEL]: '6.1.94-1',
    openssl: '3.0.14-1',
    curl: '7.88.1-10',
    etcd: '3.4.23-4',
    'docker.io': '26.1.5-1',
  },
};

export const simulatedApt: CommandSimulator = {
  templates: {
    debian: {
      osRelease:
        'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nID=debian\n',
      ...COMMON,
    },
    ubuntu: {
      osRelease:
        'PRETTY_NAME="Ubuntu 24.04.3 LTS"\nNAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\nUBUNTU_CODENAME=noble\n',
      ...COMMON,
    },
  },
  execute: (machine, argv) => {
    if (isSameScript(argv, rebootRequiredQuery.argv)) return simulatedResult(0, kernelReport(machine));
    const [program, ...args] = stripEnv(parseShellScript(argv)?.args ?? argv);
    if (program === 'apt-get') return aptGet(machine, args);
    return program === 'dpkg' ? simulatedResult(0) : undefined;
  },
};
