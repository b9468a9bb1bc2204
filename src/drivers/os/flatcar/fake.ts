import type { Ran } from '../../../domain/command.ts';
import type { Machine, MachineFake } from '../../machine.ts';
import { isSameScript, said, scriptOf } from '../fake-answers.ts';
import { OFFERED_OS, stageDeployment } from '../fake-deployments.ts';
import { flatcar } from './flatcar.ts';

const UPDATE = flatcar.upgrade.stage.at(-1);
const STAGE = flatcar.image?.stage('4230.2.1')?.at(-1);

const statusOf = ({ booted, staged }: Machine): string =>
  [
    `BOOTED_VERSION=${booted?.version ?? ''}`,
    'LAST_CHECKED_TIME=1767600000',
    'PROGRESS=0.000000',
    `CURRENT_OP=${staged ? 'UPDATE_STATUS_UPDATED_NEED_REBOOT' : 'UPDATE_STATUS_IDLE'}`,
    `NEW_VERSION=${staged?.version ?? '0.0.0'}`,
    'NEW_SIZE=0',
    '',
  ].join('\n');

/** The version is all that tells one from another. */
const stage = (machine: Machine, version: string): boolean =>
  stageDeployment(machine, { version, checksum: version, image: '', isLocked: false });

function upgrade(machine: Machine): Ran {
  if (!machine.staged) stage(machine, machine.offered.get(OFFERED_OS) ?? machine.booted?.version ?? '');
  return said(0);
}

// A full disk hinders nobody: the other partition has its own space. Only what is downloaded to /var first needs some.
function deploy(machine: Machine, version: string): Ran {
  if (machine.staged?.version === version) return said(0);
  if (machine.staged) return said(1, '', 'Another version is staged already: reboot into it first\n');
  if (machine.isDiskFull)
    return said(23, 'Downloading update payloads...\n', 'curl: (23) Failure writing output to destination\n');
  stage(machine, version);
  return said(0, '', 'Update succeeded -- reboot needed.\n');
}

const VERSION = '4230.2.3';

export const flatcarFake: MachineFake = {
  blueprints: {
    flatcar: {
      osRelease: `NAME="Flatcar Container Linux by Kinvolk"\nID=flatcar\nID_LIKE=coreos\nVERSION=${VERSION}\nVERSION_ID=${VERSION}\n`,
      tools: ['update_engine_client'],
      offered: { [OFFERED_OS]: '4230.2.4' },
      deployment: { version: VERSION, checksum: VERSION, image: '' },
    },
  },
  answer: (machine, argv) => {
    if (isSameScript(argv, flatcar.image?.deployments.argv)) return said(0, statusOf(machine));
    if (isSameScript(argv, UPDATE)) return upgrade(machine);
    return isSameScript(argv, STAGE) ? deploy(machine, scriptOf(argv)?.args[0] ?? '') : undefined;
  },
};
