// Parses the output of facts-script.ts. Values from the host are untrusted: an invalid name becomes empty, an
// implausible number becomes 0, and `os` is always a name from a driver.

import type { HostQuery } from '../../domain/command.ts';
import type { HostFacts, Liveness } from '../../domain/hosts/host-facts.ts';
import { isHostname, MAX_CPUS, MAX_KIB } from '../../domain/hosts/host-facts.ts';
import { OTHER_OS } from '../../domain/vocabulary.ts';
import { outputLines, valuesOf } from './command-output.ts';
import { FACTS_ARGV, FACTS_BEGIN, FACTS_END } from './facts-script.ts';
import type { OsDriver, SystemTraits } from './os-driver.ts';
import { TOOLS } from './os-driver.ts';
import type { OsRelease } from './os-release.ts';
import { parseOsRelease } from './os-release.ts';

/** Linux creates a new boot ID at each boot. */
export const isBootId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Offers the ID of the system, then each ID in ID_LIKE, to all drivers. At most one matches an ID. */
function detectOs(
  drivers: readonly OsDriver[],
  { id, idLike }: OsRelease,
  traits: SystemTraits,
): Pick<HostFacts, 'os' | 'osDriver'> {
  for (const name of [id, ...idLike]) {
    for (const driver of drivers) {
      const os = driver.matchOs(name, traits);
      const isComplete = driver.requiredTools.every(tool => traits.tools.has(tool));
      if (os !== undefined) return { os, osDriver: isComplete ? driver.type : '' };
    }
  }
  return { os: OTHER_OS, osDriver: '' };
}

const MAX_HOSTNAME_LENGTH = 64;

const parseCount = (text: string, max: number): number => {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : 0;
  return value <= max ? value : 0;
};

/** A version or an architecture: `6.1.0-13-amd64`. */
const parseWord = (text: string): string => (/^[A-Za-z0-9._+~-]{1,100}$/.test(text) ? text : '');

/** 100 years. */
const MAX_UPTIME_S = 3_155_760_000;

/** Counts the CPUs in a kernel list such as `0-3,5`. */
export function countCpus(list: string): number {
  if (!/^[0-9]{1,6}(?:-[0-9]{1,6})?(?:,[0-9]{1,6}(?:-[0-9]{1,6})?){0,1023}$/.test(list)) return 0;
  const counts = list.split(',').map(range => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return last - first + 1;
  });
  const count = counts.reduce((sum, size) => sum + size, 0);
  return counts.every(size => size > 0) && count <= MAX_CPUS ? count : 0;
}

/** Output of `df -P -k`, each file system once. Device names can contain spaces: columns match from the end. */
export function sumDiskSpace(lines: readonly string[]): number {
  const sizes = new Map<string, number>();
  for (const line of lines) {
    const [, device, size] = /^(.*\S)\s+([0-9]+)\s+-?[0-9]+\s+-?[0-9]+\s+(?:[0-9]+%|-)\s+\//.exec(line) ?? [];
    if (device !== undefined && size !== undefined && !sizes.has(device)) sizes.set(device, parseCount(size, MAX_KIB));
  }
  const sum = [...sizes.values()].reduce((total, size) => total + size, 0);
  return sum <= MAX_KIB ? sum : 0;
}

/** Returns the lines between the markers; none if a marker is missing. */
function factLines(lines: readonly string[]): readonly string[] {
  const begin = lines.lastIndexOf(FACTS_BEGIN);
  const end = lines.indexOf(FACTS_END, begin);
  return begin === -1 || end === -1 ? [] : lines.slice(begin + 1, end);
}

export const factsQuery = (drivers: readonly OsDriver[]): HostQuery<HostFacts> => ({
  argv: FACTS_ARGV,
  parse: result => {
    const lines = factLines(outputLines(result));
    const all = (key: string) => valuesOf(lines, key);
    const first = (key: string) => all(key)[0] ?? '';
    const bootId = first('boot-id');
    if (!isBootId(bootId)) return undefined;
    const [release, hostname] = [parseOsRelease(all('os-release')), first('hostname')];
    const identity = detectOs(drivers, release, {
      id: release.id,
      variantId: release.variantId,
      isOstree: first('ostree') === 'yes',
      isContainerImage: first('container-image') === 'yes',
      isLayered: first('layered') === 'yes',
      tools: new Set(TOOLS.filter(tool => all('tool').includes(tool))),
    });
    return {
      hostname: isHostname(hostname, MAX_HOSTNAME_LENGTH) ? hostname : '',
      bootId,
      ...identity,
      osVersion: release.prettyName,
      kernel: parseWord(first('kernel')),
      architecture: parseWord(first('architecture')),
      cpus: countCpus(first('online')) || parseCount(first('processors'), MAX_CPUS),
      memoryKib: parseCount(first('memory'), MAX_KIB),
      spaceKib: sumDiskSpace(all('disk')),
      uptimeS: parseCount(first('uptime').replace(/\..*/, ''), MAX_UPTIME_S),
    };
  },
});

/** Ignores the output of profiles and banners. */
export const livenessQuery: HostQuery<Liveness> = {
  argv: ['cat', '/proc/sys/kernel/random/boot_id'],
  parse: result => {
    const bootId = outputLines(result).findLast(isBootId);
    return bootId === undefined ? undefined : { bootId };
  },
};
