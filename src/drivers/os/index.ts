import { OTHER_OS } from '../../domain/vocabulary.ts';
import { apt } from './apt/apt.ts';
import { bootc } from './bootc/bootc.ts';
import { dnf } from './dnf/dnf.ts';
import { factsQuery, livenessQuery } from './facts.ts';
import { flatcar } from './flatcar/flatcar.ts';
import type { OsDriver, OsRegistry } from './os-driver.ts';
import { readinessQuery } from './readiness.ts';
import { rpmOstree } from './rpm-ostree/rpm-ostree.ts';
import { yum } from './yum/yum.ts';
import { zypper } from './zypper/zypper.ts';

export const osDrivers: readonly OsDriver[] = [apt, dnf, yum, zypper, rpmOstree, bootc, flatcar];

export const createOsRegistry = (drivers: readonly OsDriver[] = osDrivers): OsRegistry => ({
  drivers,
  osNames: [...new Set(drivers.flatMap(({ osNames }) => osNames)), OTHER_OS],
  facts: factsQuery(drivers),
  liveness: livenessQuery,
  readiness: readinessQuery,
});
