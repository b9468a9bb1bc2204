import type { CommandResult } from '../../domain/command.ts';
import { flatcar } from '../../drivers/os/flatcar/flatcar.ts';
import type { CommandSimulator, SimulatedMachine } from '../simulated-machine.ts';
import { isSameScript, parseShellScript, simulatedResult } from '../simulated-machine.ts';
import { AVAILABLE_OS, stageDeployment } from './software.ts';

const UPDATE = flatcar.upgrade.stage.at(-1);
const STAGE = flatcar.image?.stage('4230.2.1')?.at(-1);

const statusOutput = ({ booted, staged }: SimulatedMachine): string =>
  [
    `BOOTED_VERSION=${booted?.version ?? ''}`,
    'LAST_CHECKED_TIME=1767600000',
    'PROGRESS=0.000000',
    `CURRENT_OP=${staged ? 'UPDATE_STATUS_UPDATED_NEED_REBOOT' : 'UPDATE_STATUS_IDLE'}`,
    `NEW_VERSION=${staged?.version ?? '0.0.0'}`,
    'NEW_SIZE=0',
    '',
  ].join('\n');

/** Deployments are identified by their version only. */
const stage = (machine: SimulatedMachine, version: string): boolean =>
  stageDeployment(machine, { version, checksum: version, image: '', isLocked: false });

function upgrade(machine: SimulatedMachine): CommandResult {
  if (!machine.staged) stage(machine, machine.available.get(AVAILABLE_OS) ?? machine.booted?.version ?? '');
  return simulatedResult(0);
}

// The update itself goes to the other partition and needs no free space; only the download to /var does.
function deploy(machine: SimulatedMachine, version: string): CommandResult {
  if (machine.staged?.version === version) return simulatedResult(0);
  if (machine.staged) return simulatedResult(1, '', 'Another version is staged already: reboot into it first\n');
  if (machine.isDiskFull)
    return simulatedResult(
      23,
      'Downloading update payloads...\n',
      'curl: (23) Failure writing output to destination\n',
    );
  stage(machine, version);
  return simulatedResult(0, '', 'Update succeeded -- reboot needed.\n');
}

const VERSION = '4230.2.3';

export const simulatedFlatcar: CommandSimulator = {
  templates: {
    flatcar: {
      osRelease: `NAME="Flatcar Container Linux by Kinvolk"\nID=flatcar\nID_LIKE=coreos\nVERSION=${VERSION}\nVERSION_ID=${VERSION}\n`,
      tools: ['update_engine_client'],
      available: { [AVAILABLE_OS]: '4230.2.4' },
      deployment: { version: VERSION, checksum: VERSION, image: '' },
    },
  },
  execute: (machine, argv) => {
    if (isSameScript(argv, flatcar.image?.deployments.argv)) return simulatedResult(0, statusOutput(machine));
    if (isSameScript(argv, UPDATE)) return upgrade(machine);
    return isSameScript(argv, STAGE) ? deploy(machine, parseShellScript(argv)?.args[0] ?? '') : undefined;
  },
};
