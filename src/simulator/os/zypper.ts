import { isDeepStrictEqual } from 'node:util';
import type { CommandResult } from '../../domain/command.ts';
import { zypper } from '../../drivers/os/zypper/zypper.ts';
import type { CommandSimulator, SimulatedMachine } from '../simulated-machine.ts';
import { isSameScript, parseShellScript, positionalArgs, simulatedResult } from '../simulated-machine.ts';
import { applyUpgrades, availableUpgrades, downloadUpgrades, installPackages } from './software.ts';

const [REFRESH, DOWNLOAD] = zypper.upgrade.stage;
const [APPLY] = zypper.upgrade.apply;
const INSTALL = zypper.install(['any'])?.[0];

/** Written by zypper itself. */
const REBOOT_NEEDED_FILE = 'reboot-needed';

const diskFull = simulatedResult(
  8,
  '',
  'Installation of kernel-default-6.4.0-150600.23 failed:\nError: Subprocess failed. Error: RPM failed: installing package needs 103MB on the / filesystem\n',
);

function upgrade(machine: SimulatedMachine, isDownload: boolean): CommandResult {
  if (machine.isDiskFull) return diskFull;
  if (downloadUpgrades(machine).size === 0) return simulatedResult(0, 'Nothing to do.\n');
  if (isDownload) return simulatedResult(0, 'Retrieving package\n');
  if (applyUpgrades(machine).has('kernel-default')) machine.runFiles.set(REBOOT_NEEDED_FILE, '');
  return simulatedResult(0, 'Installing\n');
}

const dryRun = (machine: SimulatedMachine): CommandResult =>
  simulatedResult(
    0,
    `<?xml version='1.0'?>\n<stream>\n<install-summary download-size="0" packages-to-change="${availableUpgrades(machine).size}">\n</install-summary>\n</stream>\n`,
  );

const install = (machine: SimulatedMachine, names: readonly string[]): CommandResult =>
  installPackages(machine, names, {
    unknown: name => simulatedResult(104, '', `Package '${name}' not found.\n`),
    diskFull,
    done: simulatedResult(0, 'Installing\n'),
  });

const rebootCheckResult = (machine: SimulatedMachine): CommandResult =>
  machine.runFiles.has(REBOOT_NEEDED_FILE)
    ? simulatedResult(102, 'Core libraries or services have been updated.\nReboot is suggested.\n')
    : simulatedResult(0, 'No core libraries or services have been updated.\nReboot is probably not necessary.\n');

export const simulatedZypper: CommandSimulator = {
  templates: {
    opensuse: {
      osRelease:
        'NAME="openSUSE Leap"\nVERSION="15.6"\nID="opensuse-leap"\nID_LIKE="suse opensuse"\nVERSION_ID="15.6"\n',
      tools: ['zypper'],
      packages: { 'kernel-default': '6.4.0-150600.21', openssh: '9.6p1-150600.6' },
      available: {
        'kernel-default': '6.4.0-150600.23',
        curl: '8.6.0-150600.4',
        etcd: '3.5.12-150000.7',
        docker: '26.1.5-150000.2',
      },
    },
  },
  execute: (machine, argv) => {
    if (isDeepStrictEqual(argv, zypper.rebootRequired.argv)) return rebootCheckResult(machine);
    if (isSameScript(argv, REFRESH)) return simulatedResult(0, 'All repositories have been refreshed.\n');
    if (isSameScript(argv, DOWNLOAD)) return upgrade(machine, true);
    if (isSameScript(argv, zypper.upgrade.hasUpdates.argv)) return dryRun(machine);
    if (isSameScript(argv, APPLY)) return upgrade(machine, false);
    const [verb, ...names] = isSameScript(argv, INSTALL) ? positionalArgs(parseShellScript(argv)?.args ?? []) : [];
    return verb === 'install' ? install(machine, names) : undefined;
  },
};
