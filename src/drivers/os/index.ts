import { OTHER_OS } from '../../domain/vocabulary.ts';
import { apt } from './apt/apt.ts';
import { bootc } from './bootc/bootc.ts';
import { dnf } from './dnf/dnf.ts';
import { factsQuestion, pulse } from './facts.ts';
import { flatcar } from './flatcar/flatcar.ts';
import type { OsDriver } from './os-driver.ts';
import type { OsRegistry } from './os-registry.ts';
import { readiness } from './readiness.ts';
import { rpmOstree } from './rpm-ostree/rpm-ostree.ts';
import { yum } from './yum/yum.ts';
import { zypper } from './zypper/zypper.ts';

export const osDrivers: readonly OsDriver[] = [apt, dnf, yum, zypper, rpmOstree, bootc, flatcar];

export const createOsRegistry = (drivers: readonly OsDriver[] = osDrivers): OsRegistry => ({
  drivers,
  systems: [...new Set(drivers.flatMap(({ systems }) => systems)), OTHER_OS],
  facts: factsQuestion(drivers),
  pulse,
  readiness,
});
