import type { MachineFake } from '../machine.ts';
import { aptFake } from './apt/fake.ts';
import { bootcFake } from './bootc/fake.ts';
import { dnfFake } from './dnf/fake.ts';
import { onAnySystem } from './fake-system.ts';
import { flatcarFake } from './flatcar/fake.ts';
import { rpmOstreeFake } from './rpm-ostree/fake.ts';
import { yumFake } from './yum/fake.ts';
import { zypperFake } from './zypper/fake.ts';

/** How pretend hosts answer, by the type of their OS driver. */
export const osFakes: Readonly<Record<string, MachineFake>> = {
  apt: onAnySystem(aptFake),
  dnf: onAnySystem(dnfFake),
  yum: onAnySystem(yumFake),
  zypper: onAnySystem(zypperFake),
  'rpm-ostree': onAnySystem(rpmOstreeFake),
  bootc: onAnySystem(bootcFake),
  flatcar: onAnySystem(flatcarFake),
};
