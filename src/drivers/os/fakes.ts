import type { MachineFake } from '../machine.ts';
import { aptFake } from './apt/fake.ts';
import { bootcFake } from './bootc/fake.ts';
import { dnfFake } from './dnf/fake.ts';
import { onAnySystem } from './fake-system.ts';
import { flatcarFake } from './flatcar/fake.ts';
import { rpmOstreeFake } from './rpm-ostree/fake.ts';
import { yumFake } from './yum/fake.ts';
import { zypperFake } from './zypper/fake.ts';

const FAKES: Readonly<Record<string, MachineFake>> = {
  apt: aptFake,
  dnf: dnfFake,
  yum: yumFake,
  zypper: zypperFake,
  'rpm-ostree': rpmOstreeFake,
  bootc: bootcFake,
  flatcar: flatcarFake,
};

/** How pretend hosts answer, by the type of their OS driver. */
export const osFakes: Readonly<Record<string, MachineFake>> = Object.fromEntries(
  Object.entries(FAKES).map(([type, fake]) => [type, onAnySystem(fake)]),
);
