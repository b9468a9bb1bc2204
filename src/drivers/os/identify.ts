import type { HostFacts } from '../../domain/host-facts.ts';
import { OTHER_OS } from '../../domain/vocabulary.ts';
import type { OsDriver, SystemTraits } from './os-driver.ts';
import type { OsRelease } from './os-release.ts';

/**
 * Each name of the system, its own first and then those that it is like, is shown to every driver; the first hit counts. Since no two
 * drivers recognise the same, the order of the drivers does not matter.
 */
export function identify(
  drivers: readonly OsDriver[],
  { id, idLike }: OsRelease,
  traits: SystemTraits,
): Pick<HostFacts, 'os' | 'osDriver'> {
  for (const name of [id, ...idLike]) {
    for (const driver of drivers) {
      const os = driver.recognise(name, traits);
      if (os !== undefined) return { os, osDriver: driver.type };
    }
  }
  return { os: OTHER_OS, osDriver: '' };
}
