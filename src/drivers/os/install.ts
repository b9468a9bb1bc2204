import type { Argv } from '../../domain/command.ts';

/**
 * Nothing asked is nothing to do. A name that a tool would take for an option is none that can be installed: not every tool has a
 * `--` (dnf5 refuses it, dnf 4 reads options after it all the same).
 */
export function installing(
  packages: readonly string[],
  ...commands: readonly Argv[]
): readonly Argv[] | undefined {
  if (packages.length === 0) return [];
  return packages.some(name => name.startsWith('-')) ? undefined : commands;
}
