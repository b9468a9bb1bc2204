// Simulates the commands of every OS: facts, liveness, readiness and systemd.

import { isDeepStrictEqual } from 'node:util';
import type { Argv, CommandResult } from '../../domain/command.ts';
import { livenessQuery } from '../../drivers/os/facts.ts';
import { FACTS_ARGV, FACTS_BEGIN, FACTS_END } from '../../drivers/os/facts-script.ts';
import { BOOT_ID_KEY, readinessQuery, STATE_KEY } from '../../drivers/os/readiness.ts';
import type { CommandCaller, CommandSimulator, SimulatedMachine } from '../simulated-machine.ts';
import { simulatedResult } from '../simulated-machine.ts';
import { simulatedApt } from './apt.ts';
import { simulatedBootc } from './bootc.ts';
import { simulatedFlatcar } from './flatcar.ts';
import { simulatedDnf, simulatedYum } from './rpm.ts';
import { simulatedRpmOstree } from './rpm-ostree.ts';
import { simulatedZypper } from './zypper.ts';

function factsOutput(machine: SimulatedMachine): string {
  const { hostname, bootId, osRelease, cpus, memoryKib, spaceKib } = machine;
  const { template, tools } = machine.system;
  const used = Math.floor(spaceKib / 4);
  return [
    FACTS_BEGIN,
    `hostname ${hostname}`,
    `boot-id ${bootId}`,
    'kernel 6.1.0-28-amd64',
    'architecture x86_64',
    `uptime ${(machine.uptimeMs / 1000).toFixed(2)}`,
    ...osRelease
      .trimEnd()
      .split('\n')
      .map(line => `os-release ${line}`),
    ...[...tools].map(tool => `tool ${tool}`),
    `online ${cpus === 1 ? '0' : `0-${cpus - 1}`}`,
    `memory ${memoryKib}`,
    ...(template.isOstree ? ['ostree yes'] : []),
    ...(template.isContainerImage ? ['container-image yes'] : []),
    'disk Filesystem     1024-blocks     Used Available Capacity Mounted on',
    `disk /dev/vda1 ${spaceKib} ${used} ${spaceKib - used} 25% /`,
    FACTS_END,
    '',
  ].join('\n');
}

const systemState = ({ uptimeMs, startingMs }: SimulatedMachine) => (uptimeMs < startingMs ? 'starting' : 'running');

function systemctl(machine: SimulatedMachine, [verb, ...rest]: readonly string[]): CommandResult | undefined {
  const units = rest.filter(word => !word.startsWith('-'));
  switch (verb) {
    case 'mask':
      for (const unit of units) machine.services.delete(unit);
      return simulatedResult(0);
    case 'start':
      return simulatedResult(0);
    case 'is-system-running':
      return simulatedResult(systemState(machine) === 'running' ? 0 : 1, `${systemState(machine)}\n`);
    case 'reboot':
      machine.power.reboot();
      return simulatedResult(0);
    default:
      return undefined;
  }
}

function executeCommonCommand(
  machine: SimulatedMachine,
  argv: Argv,
  { isRoot }: CommandCaller,
): CommandResult | undefined {
  const [program, ...args] = argv;
  if (isDeepStrictEqual(argv, FACTS_ARGV)) return simulatedResult(0, factsOutput(machine));
  if (isDeepStrictEqual(argv, livenessQuery.argv)) return simulatedResult(0, `${machine.bootId}\n`);
  if (isDeepStrictEqual(argv, readinessQuery.argv))
    return simulatedResult(0, `${BOOT_ID_KEY} ${machine.bootId}\n${STATE_KEY} ${systemState(machine)}\n`);
  if (program === 'systemctl') return systemctl(machine, args);
  if (program === 'true') return simulatedResult(0);
  return program === 'id' && args[0] === '-u' ? simulatedResult(0, isRoot ? '0\n' : '1000\n') : undefined;
}

export const withCommonCommands = ({ templates, execute }: CommandSimulator): CommandSimulator => ({
  templates,
  execute: (machine, argv, caller) => execute(machine, argv, caller) ?? executeCommonCommand(machine, argv, caller),
});

const COMMAND_SIMULATORS: Readonly<Record<string, CommandSimulator>> = {
  apt: simulatedApt,
  dnf: simulatedDnf,
  yum: simulatedYum,
  zypper: simulatedZypper,
  'rpm-ostree': simulatedRpmOstree,
  bootc: simulatedBootc,
  flatcar: simulatedFlatcar,
};

export const osSimulators: Readonly<Record<string, CommandSimulator>> = Object.fromEntries(
  Object.entries(COMMAND_SIMULATORS).map(([type, simulator]) => [type, withCommonCommands(simulator)]),
);
