import type { HostFacts } from '../../domain/hosts/host-facts.ts';
import { OTHER_OS } from '../../domain/vocabulary.ts';
import type { OsDriver, SystemTraits } from './os-driver.ts';
import type { OsRelease } from './os-release.ts';

/**
 * Each name of the system, its own first and then those that it is like, is shown to every driver; the first hit counts. Since no two
 * drivers recognise the same, the order of the drivers does not matter. A system without the tools of its driver keeps its `os`, and
 * has no driver.
 */
export function identify(
  drivers: readonly OsDriver[],
  { id, idLike }: OsRelease,
  traits: SystemTraits,
): Pick<HostFacts, 'os' | 'osDriver'> {
  for (const name of [id, ...idLike]) {
    for (const driver of drivers) {
      const os = driver.recognise(name, traits);
      const isComplete = driver.needs.every(tool => traits.tools.has(tool));
      if (os !== undefined) return { os, osDriver: isComplete ? driver.type : '' };
    }
  }
  return { os: OTHER_OS, osDriver: '' };
}
