import { isDeepStrictEqual } from 'node:util';
import type { Ran } from '../../../domain/command.ts';
import type { Machine, MachineFake } from '../../machine.ts';
import { isSameScript, said, scriptOf, wordsOf } from '../fake-answers.ts';
import {
  applyUpgrades,
  downloadUpgrades,
  installPackages,
  unknownTo,
  upgradesFor,
} from '../fake-packages.ts';
import { zypper } from './zypper.ts';

const [REFRESH, DOWNLOAD] = zypper.upgrade.stage;
const [APPLY] = zypper.upgrade.apply;
const INSTALL = zypper.install(['any'])?.[0];

/** What zypper writes itself. */
const FLAG = 'reboot-needed';

const diskFull = said(
  8,
  '',
  'Installation of kernel-default-6.4.0-150600.23 failed:\nError: Subprocess failed. Error: RPM failed: installing package needs 103MB on the / filesystem\n',
);

function upgrade(machine: Machine, isDownload: boolean): Ran {
  if (machine.isDiskFull) return diskFull;
  if (downloadUpgrades(machine).size === 0) return said(0, 'Nothing to do.\n');
  if (isDownload) return said(0, 'Retrieving package\n');
  if (applyUpgrades(machine).has('kernel-default')) machine.run.set(FLAG, '');
  return said(0, 'Installing\n');
}

const dryRun = (machine: Machine): Ran =>
  said(
    0,
    `<?xml version='1.0'?>\n<stream>\n<install-summary download-size="0" packages-to-change="${upgradesFor(machine).size}">\n</install-summary>\n</stream>\n`,
  );

function install(machine: Machine, names: readonly string[]): Ran {
  const [unknown] = unknownTo(machine, names);
  if (unknown !== undefined) return said(104, '', `Package '${unknown}' not found.\n`);
  if (machine.isDiskFull) return diskFull;
  installPackages(machine, names);
  return said(0, 'Installing\n');
}

const rebootAnswer = (machine: Machine): Ran =>
  machine.run.has(FLAG)
    ? said(102, 'Core libraries or services have been updated.\nReboot is suggested.\n')
    : said(0, 'No core libraries or services have been updated.\nReboot is probably not necessary.\n');

export const zypperFake: MachineFake = {
  blueprints: {
    opensuse: {
      osRelease:
        'NAME="openSUSE Leap"\nVERSION="15.6"\nID="opensuse-leap"\nID_LIKE="suse opensuse"\nVERSION_ID="15.6"\n',
      tools: ['zypper'],
      packages: { 'kernel-default': '6.4.0-150600.21', openssh: '9.6p1-150600.6' },
      offered: {
        'kernel-default': '6.4.0-150600.23',
        curl: '8.6.0-150600.4',
        etcd: '3.5.12-150000.7',
        docker: '26.1.5-150000.2',
      },
    },
  },
  answer: (machine, argv) => {
    if (isDeepStrictEqual(argv, zypper.rebootNeed.argv)) return rebootAnswer(machine);
    if (isSameScript(argv, REFRESH)) return said(0, 'All repositories have been refreshed.\n');
    if (isSameScript(argv, DOWNLOAD)) return upgrade(machine, true);
    if (isSameScript(argv, zypper.upgrade.pending.argv)) return dryRun(machine);
    if (isSameScript(argv, APPLY)) return upgrade(machine, false);
    const [verb, ...names] = isSameScript(argv, INSTALL) ? wordsOf(scriptOf(argv)?.args ?? []) : [];
    return verb === 'install' ? install(machine, names) : undefined;
  },
};
