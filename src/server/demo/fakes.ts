import { flannelFake } from '../../drivers/network/fake.ts';
import { osFakes } from '../../drivers/os/fakes.ts';
import { jobsFake } from '../../operations/jobs/fake.ts';
import { programsFake } from '../../operations/programs.ts';
import { rebootFake } from '../../operations/reboot/fake.ts';

/** Fakes that execute commands on simulated hosts. A command without a fake is unknown to them. */
export const FAKES = {
  systems: Object.values(osFakes),
  common: [jobsFake, rebootFake, programsFake, flannelFake],
};
