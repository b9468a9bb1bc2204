import type { Ran } from '../../../domain/command.ts';
import type { Machine, MachineFake } from '../../machine.ts';
import { isSameScript, said, scriptOf, withoutEnv, wordsOf } from '../fake-answers.ts';
import {
  applyUpgrades,
  downloadUpgrades,
  installPackages,
  unknownTo,
  upgradesFor,
} from '../fake-packages.ts';
import { rebootNeed } from './reboot-need.ts';

const KERNEL = 'linux-image-amd64';
/** A file that no system has; it remembers the kernel that runs while a newer one is installed. */
const RUNNING = 'pretend-running-kernel';

const isUbuntu = ({ osRelease }: Machine) => /^ID=ubuntu$/m.test(osRelease);

function upgrade(machine: Machine, isDownload: boolean): Ran {
  const upgrades = downloadUpgrades(machine);
  const list = [...upgrades.keys()].join(' ');
  const head = `Reading package lists...\nThe following packages will be upgraded:\n  ${list}\n`;
  if (isDownload) return said(0, `${head}Download complete and in download only mode\n`);
  const running = applyUpgrades(machine).get(KERNEL);
  if (running !== undefined) {
    machine.run.set(RUNNING, running);
    if (isUbuntu(machine)) machine.run.set('reboot-required', '*** System restart required ***\n');
  }
  return said(
    0,
    `${head}${[...upgrades].map(([name, version]) => `Setting up ${name} (${version}) ...\n`).join('')}`,
  );
}

function simulate(machine: Machine): Ran {
  const upgrades = [...upgradesFor(machine)];
  const lines = ['Inst', 'Conf'].flatMap(word =>
    upgrades.map(([name, version]) => `${word} ${name} (${version} Debian:12.9/stable [amd64])`),
  );
  const summary = `${upgrades.length} upgraded, 0 newly installed, 0 to remove and 0 not upgraded.`;
  return said(0, `${['Reading package lists...', summary, ...lines].join('\n')}\n`);
}

function aptGet(machine: Machine, args: readonly string[]): Ran | undefined {
  const [verb, ...packages] = wordsOf(args);
  const full = machine.isDiskFull
    ? said(100, '', "E: You don't have enough free space in /var/cache/apt/archives/.\n")
    : undefined;
  switch (verb) {
    case 'update':
      return said(0, 'Hit:1 http://deb.example.org stable InRelease\nReading package lists...\n');
    case 'upgrade':
      if (args.includes('--simulate')) return simulate(machine);
      return full ?? upgrade(machine, args.includes('--download-only'));
    case 'install': {
      const [unknown] = unknownTo(machine, packages);
      if (unknown !== undefined) return said(100, '', `E: Unable to locate package ${unknown}\n`);
      if (full) return full;
      installPackages(machine, packages);
      return said(0, 'Reading package lists...\n');
    }
    default:
      return undefined;
  }
}

function kernels({ packages, run }: Machine): string {
  const installed = packages.get(KERNEL) ?? '6.1.90-1';
  const running = run.get(RUNNING) ?? installed;
  return [
    ...(run.has('reboot-required') ? ['required yes'] : []),
    `running ${running}-amd64`,
    `kernel ${running}-amd64`,
    `kernel ${installed}-amd64`,
    `package ${running}`,
    `build Linux version ${running}-amd64 (gcc-12 (Debian 12.2.0-14)) #1 SMP Debian ${running} (2026-01-09)`,
    '',
  ].join('\n');
}

const PACKAGES = { [KERNEL]: '6.1.90-1', openssl: '3.0.13-1', 'openssh-server': '1:9.2p1-2' };
const OFFERED = {
  [KERNEL]: '6.1.94-1',
  openssl: '3.0.14-1',
  curl: '7.88.1-10',
  etcd: '3.4.23-4',
  'docker.io': '26.1.5-1',
};

export const aptFake: MachineFake = {
  blueprints: {
    debian: {
      osRelease:
        'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nID=debian\n',
      tools: ['apt-get'],
      packages: PACKAGES,
      offered: OFFERED,
    },
    ubuntu: {
      osRelease:
        'PRETTY_NAME="Ubuntu 24.04.3 LTS"\nNAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\nUBUNTU_CODENAME=noble\n',
      tools: ['apt-get'],
      packages: PACKAGES,
      offered: OFFERED,
    },
  },
  answer: (machine, argv) => {
    if (isSameScript(argv, rebootNeed.argv)) return said(0, kernels(machine));
    const [program, ...args] = withoutEnv(scriptOf(argv)?.args ?? argv);
    if (program === 'apt-get') return aptGet(machine, args);
    return program === 'dpkg' ? said(0) : undefined;
  },
};
