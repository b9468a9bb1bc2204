import { simulatedFlannel } from './flannel.ts';
import { simulatedJobs, simulatedPrograms } from './jobs.ts';
import { osSimulators } from './os/os-simulators.ts';
import { simulatedReboot } from './reboot.ts';

export const SIMULATORS = {
  systems: Object.values(osSimulators),
  common: [simulatedJobs, simulatedReboot, simulatedPrograms, simulatedFlannel],
};
