import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Argv, CommandResult } from '../../domain/command.ts';
import { LOCK_STAGED, UNLOCK_STAGED } from '../../drivers/os/shared-commands.ts';
import type { MachineDeployment, SimulatedMachine } from '../simulated-machine.ts';
import { simulatedResult } from '../simulated-machine.ts';

export function availableUpgrades({ packages, available }: SimulatedMachine): ReadonlyMap<string, string> {
  const isUpgrade = ([name, version]: [string, string]) => packages.has(name) && packages.get(name) !== version;
  return new Map([...available].filter(isUpgrade));
}

export function downloadUpgrades(machine: SimulatedMachine): ReadonlyMap<string, string> {
  const upgrades = availableUpgrades(machine);
  for (const [name, version] of upgrades) machine.downloaded.set(name, version);
  return upgrades;
}

/** Returns the previous versions, by package. */
export function applyUpgrades(machine: SimulatedMachine): ReadonlyMap<string, string> {
  const before = new Map<string, string>();
  for (const [name, version] of availableUpgrades(machine)) {
    before.set(name, machine.packages.get(name) ?? '');
    machine.packages.set(name, version);
  }
  machine.downloaded.clear();
  return before;
}

export const unknownPackages = (
  { packages, available }: SimulatedMachine,
  names: readonly string[],
): readonly string[] => names.filter(name => !packages.has(name) && !available.has(name));

export function installPackages(machine: SimulatedMachine, names: readonly string[]): void {
  for (const name of names) {
    const version = machine.packages.get(name) ?? machine.available.get(name);
    if (version !== undefined) machine.packages.set(name, version);
  }
}

// The version of an image upgrade is available as the package `os`.

export const AVAILABLE_OS = 'os';

export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const isSameDeployment = (one: MachineDeployment | undefined, other: MachineDeployment): boolean =>
  one !== undefined && one.checksum === other.checksum && one.image === other.image;

/** Returns whether anything changed. Staging the booted deployment drops the staged one. */
export function stageDeployment(machine: SimulatedMachine, deployment: MachineDeployment): boolean {
  const isCurrent = isSameDeployment(machine.staged ?? machine.booted, deployment);
  if (!isCurrent) machine.staged = isSameDeployment(machine.booted, deployment) ? undefined : deployment;
  return !isCurrent;
}

export function executeOstreeLock({ staged }: SimulatedMachine, argv: Argv): CommandResult | undefined {
  const isLock = isDeepStrictEqual(argv, LOCK_STAGED);
  if (!isLock && !isDeepStrictEqual(argv, UNLOCK_STAGED)) return undefined;
  if (staged) staged.isLocked = isLock;
  return simulatedResult(0);
}
