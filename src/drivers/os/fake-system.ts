// What every pretend host answers, whatever its system: facts and pulse, and the little that all systems have.

import { isDeepStrictEqual } from 'node:util';
import type { Argv, Ran } from '../../domain/command.ts';
import type { Machine, MachineCaller, MachineFake } from '../machine.ts';
import { pulse } from './facts.ts';
import { FACTS_ARGV, FACTS_BEGIN, FACTS_END } from './facts-script.ts';
import { said } from './fake-answers.ts';
import { BOOT_ID_KEY, readiness, STATE_KEY } from './readiness.ts';

function factsOf(machine: Machine): string {
  const { hostname, bootId, osRelease, tools, cpus, memoryKib, spaceKib, isOstree, isContainerImage } =
    machine;
  const used = Math.floor(spaceKib / 4);
  return [
    FACTS_BEGIN,
    `hostname ${hostname}`,
    `boot-id ${bootId}`,
    ...osRelease
      .trimEnd()
      .split('\n')
      .map(line => `os-release ${line}`),
    ...[...tools].map(tool => `tool ${tool}`),
    `online ${cpus === 1 ? '0' : `0-${cpus - 1}`}`,
    `memory ${memoryKib}`,
    ...(isOstree ? ['ostree yes'] : []),
    ...(isContainerImage ? ['container-image yes'] : []),
    'disk Filesystem     1024-blocks     Used Available Capacity Mounted on',
    `disk /dev/vda1 ${spaceKib} ${used} ${spaceKib - used} 25% /`,
    FACTS_END,
    '',
  ].join('\n');
}

const stateOf = ({ uptimeMs, startingMs }: Machine) => (uptimeMs < startingMs ? 'starting' : 'running');

function systemctl(machine: Machine, [verb, ...rest]: readonly string[]): Ran | undefined {
  const units = rest.filter(word => !word.startsWith('-'));
  switch (verb) {
    case 'enable':
      for (const unit of units) machine.services.add(unit);
      return said(0);
    case 'mask':
      for (const unit of units) machine.services.delete(unit);
      return said(0);
    case 'start':
      return said(0);
    case 'is-system-running':
      return said(stateOf(machine) === 'running' ? 0 : 1, `${stateOf(machine)}\n`);
    case 'reboot':
      machine.reboot();
      return said(0);
    default:
      return undefined;
  }
}

export function answerOfAnySystem(machine: Machine, argv: Argv, { isRoot }: MachineCaller): Ran | undefined {
  const [program, ...args] = argv;
  if (isDeepStrictEqual(argv, FACTS_ARGV)) return said(0, factsOf(machine));
  if (isDeepStrictEqual(argv, pulse.argv)) return said(0, `${machine.bootId}\n`);
  if (isDeepStrictEqual(argv, readiness.argv))
    return said(0, `${BOOT_ID_KEY} ${machine.bootId}\n${STATE_KEY} ${stateOf(machine)}\n`);
  if (program === 'systemctl') return systemctl(machine, args);
  if (program === 'true') return said(0);
  return program === 'id' && args[0] === '-u' ? said(0, isRoot ? '0\n' : '1000\n') : undefined;
}

/** A fake that answers what is common to all as well. */
export const onAnySystem = ({ blueprints, answer }: MachineFake): MachineFake => ({
  blueprints,
  answer: (machine, argv, caller) =>
    answer(machine, argv, caller) ?? answerOfAnySystem(machine, argv, caller),
});
