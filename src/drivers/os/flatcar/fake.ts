import type { Ran } from '../../../domain/command.ts';
import type { Machine, MachineFake } from '../../machine.ts';
import { isSameScript, said, scriptOf } from '../fake-answers.ts';
import { OFFERED_OS, stageDeployment } from '../fake-deployments.ts';
import { flatcar } from './flatcar.ts';

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

// A full disk hinders nobody: the other partition has its own space. Only what is downloaded to /var first needs some.
function update(machine: Machine, version: string | undefined): Ran {
  if (version !== undefined && machine.isDiskFull)
    return said(23, 'Downloading update payloads...\n', 'curl: (23) Failure writing output to destination\n');
  const isNew = stage(machine, version ?? machine.offered.get(OFFERED_OS) ?? machine.booted?.version ?? '');
  return said(0, '', isNew ? 'Update succeeded -- reboot needed.\n' : 'No update available\n');
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
    if (isSameScript(argv, STAGE)) return update(machine, scriptOf(argv)?.args[0]);
    const [program, flag] = argv;
    return program === 'update_engine_client' && flag === '-update' ? update(machine, undefined) : undefined;
  },
};
