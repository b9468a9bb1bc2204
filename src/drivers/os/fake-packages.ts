// What the package managers of pretend hosts do to a machine; what they say about it is their own.

import type { Machine } from '../machine.ts';

/** What can be upgraded: installed, and offered in another version. */
export function upgradesFor({ packages, offered }: Machine): ReadonlyMap<string, string> {
  const isUpgrade = ([name, version]: [string, string]) =>
    packages.has(name) && packages.get(name) !== version;
  return new Map([...offered].filter(isUpgrade));
}

export function downloadUpgrades(machine: Machine): ReadonlyMap<string, string> {
  const upgrades = upgradesFor(machine);
  for (const [name, version] of upgrades) machine.downloaded.set(name, version);
  return upgrades;
}

/** Gives the versions from before, by package. */
export function applyUpgrades(machine: Machine): ReadonlyMap<string, string> {
  const before = new Map<string, string>();
  for (const [name, version] of upgradesFor(machine)) {
    before.set(name, machine.packages.get(name) ?? '');
    machine.packages.set(name, version);
  }
  machine.downloaded.clear();
  return before;
}

export const unknownTo = ({ packages, offered }: Machine, names: readonly string[]): readonly string[] =>
  names.filter(name => !packages.has(name) && !offered.has(name));

export function installPackages(machine: Machine, names: readonly string[]): void {
  for (const name of names) {
    const version = machine.packages.get(name) ?? machine.offered.get(name);
    if (version !== undefined) machine.packages.set(name, version);
  }
}
