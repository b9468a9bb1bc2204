import { simulatedFlannel } from '../../simulator/flannel.ts';
import { simulatedJobs, simulatedPrograms } from '../../simulator/jobs.ts';
import { osSimulators } from '../../simulator/os/os-simulators.ts';
import { simulatedReboot } from '../../simulator/reboot.ts';

/** Fakes that execute commands on simulated hosts. A command without a fake is unknown to them. */
export const FAKES = {
  systems: Object.values(osSimulators),
  common: [simulatedJobs, simulatedReboot, simulatedPrograms, simulatedFlannel],
};
