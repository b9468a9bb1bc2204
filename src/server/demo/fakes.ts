import { flannelFake } from '../../drivers/network/fake.ts';
import { osFakes } from '../../drivers/os/fakes.ts';
import { jobsFake } from '../../operations/jobs/fake.ts';
import { programsFake } from '../../operations/programs.ts';
import { rebootFake } from '../../operations/reboot/fake.ts';

/** How pretend hosts answer whatever is asked of hosts. Without its fake here a command is one that they do not know. */
export const FAKES = {
  systems: Object.values(osFakes),
  common: [jobsFake, rebootFake, programsFake, flannelFake],
};
