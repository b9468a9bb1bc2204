// The facts of a host, from what the script in `facts-script.ts` prints. Whatever a host says of itself is bounded here: a name that
// is none is empty, a number that cannot be is 0, and the name of its system comes only from a driver.

import type { Question } from '../../domain/command.ts';
import type { HostFacts, Pulse } from '../../domain/hosts/host-facts.ts';
import { isHostname, MOST_CPUS, MOST_KIB } from '../../domain/hosts/host-facts.ts';
import { linesOf } from './answer-text.ts';
import { isBootId } from './boot-id.ts';
import { FACTS_ARGV, FACTS_BEGIN, FACTS_END } from './facts-script.ts';
import { identify } from './identify.ts';
import type { OsDriver } from './os-driver.ts';
import { parseOsRelease } from './os-release.ts';
import { TOOLS } from './tools.ts';

/** As long as Linux lets a host name be. */
const LONGEST_NAME = 64;

const wholeNumber = (text: string, most: number): number => {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : 0;
  return value <= most ? value : 0;
};

const hostname = (text: string): string => (isHostname(text, LONGEST_NAME) ? text : '');

/** How many are in a list of the kernel such as `0-3,5`. */
export function cpusIn(list: string): number {
  if (!/^[0-9]{1,6}(?:-[0-9]{1,6})?(?:,[0-9]{1,6}(?:-[0-9]{1,6})?){0,1023}$/.test(list)) return 0;
  const counts = list.split(',').map(range => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return last - first + 1;
  });
  const count = counts.reduce((sum, one) => sum + one, 0);
  return counts.every(one => one > 0) && count <= MOST_CPUS ? count : 0;
}

/** The sum over the lines of `df -P -k`, each file system once. A device's name may have spaces in it, so it is read from behind. */
export function spaceIn(lines: readonly string[]): number {
  const sizes = new Map<string, number>();
  for (const line of lines) {
    const [, device, size] = /^(.*\S)\s+([0-9]+)\s+-?[0-9]+\s+-?[0-9]+\s+(?:[0-9]+%|-)\s+\//.exec(line) ?? [];
    if (device !== undefined && size !== undefined && !sizes.has(device))
      sizes.set(device, wholeNumber(size, MOST_KIB));
  }
  const sum = [...sizes.values()].reduce((total, size) => total + size, 0);
  return sum <= MOST_KIB ? sum : 0;
}

/** What stands between the marks, by the first word of a line; `undefined` when one of the marks is missing. */
function markedLines(lines: readonly string[]): ReadonlyMap<string, readonly string[]> | undefined {
  const begin = lines.lastIndexOf(FACTS_BEGIN);
  const end = lines.indexOf(FACTS_END, begin);
  if (begin === -1 || end === -1) return undefined;
  return Map.groupBy(
    lines.slice(begin + 1, end).map(line => line.slice(line.indexOf(' ') + 1)),
    (_value, index) => lines[begin + 1 + index]?.split(' ', 1)[0] ?? '',
  );
}

export const factsQuestion = (drivers: readonly OsDriver[]): Question<HostFacts> => ({
  argv: FACTS_ARGV,
  read: ran => {
    const marked = markedLines(linesOf(ran));
    const all = (key: string) => marked?.get(key) ?? [];
    const first = (key: string) => all(key)[0] ?? '';
    const bootId = first('boot-id');
    if (!isBootId(bootId)) return undefined;
    const release = parseOsRelease(all('os-release'));
    const identity = identify(drivers, release, {
      id: release.id,
      variantId: release.variantId,
      isOstree: first('ostree') === 'yes',
      isContainerImage: first('container-image') === 'yes',
      isLayered: first('layered') === 'yes',
      tools: new Set(TOOLS.filter(tool => all('tool').includes(tool))),
    });
    return {
      hostname: hostname(first('hostname')),
      bootId,
      ...identity,
      cpus: cpusIn(first('online')) || wholeNumber(first('processors'), MOST_CPUS),
      memoryKib: wholeNumber(first('memory'), MOST_KIB),
      spaceKib: spaceIn(all('disk')),
    };
  },
});

/** What a profile or a banner prints before and after is left out. */
export const pulse: Question<Pulse> = {
  argv: ['cat', '/proc/sys/kernel/random/boot_id'],
  read: ran => {
    const bootId = linesOf(ran).findLast(isBootId);
    return bootId === undefined ? undefined : { bootId };
  },
};
