import { hash } from 'node:crypto';
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

interface InstallReplies {
  unknown(name: string): CommandResult;
  /** Default: a full disk has no effect. */
  readonly diskFull?: CommandResult;
  readonly done: CommandResult;
}

export function installPackages(
  { packages, available, isDiskFull }: SimulatedMachine,
  names: readonly string[],
  { unknown, diskFull, done }: InstallReplies,
): CommandResult {
  const unknownName = names.find(name => !packages.has(name) && !available.has(name));
  if (unknownName !== undefined) return unknown(unknownName);
  if (isDiskFull && diskFull) return diskFull;
  for (const name of names) packages.set(name, packages.get(name) ?? available.get(name) ?? '');
  return done;
}

// The version of an image upgrade is available as the package `os`.

export const AVAILABLE_OS = 'os';

export const checksumOf = (text: string): string => hash('sha256', text);

export const imageDigest = (image: string, version: string) => `sha256:${checksumOf(`${image} ${version}`)}`;

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
