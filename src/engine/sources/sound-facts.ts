import { isHostname, MOST_CPUS, MOST_KIB } from '../../domain/hosts/host-facts.ts';
import type { SourceFacts } from '../../domain/hosts/source-facts.ts';
import { harmless } from '../../lib/text/harmless.ts';

/** As long as a name in the DNS may be. */
const LONGEST_NAME = 253;
const MOST_CONDITIONS = 32;

const wholeNumber = (value: number | undefined, most: number) =>
  value !== undefined && Number.isSafeInteger(value) && value >= 0 && value <= most ? value : undefined;

const hostname = (text: string | undefined) =>
  text !== undefined && isHostname(text, LONGEST_NAME) ? text : undefined;

const conditions = (told: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(told)
      .slice(0, MOST_CONDITIONS)
      .map(([name, state]) => [harmless(name, 64), harmless(state, 64)]),
  );

/**
 * What a source tells, as far as it can be: the rest counts as not told. The line of a host that the store keeps ready depends on it:
 * the words of `os` are a closed set, and numbers are whole.
 */
export function soundFacts(told: SourceFacts, systems: readonly string[]): SourceFacts {
  const sound = {
    os: systems.find(system => system === told.os),
    cpus: wholeNumber(told.cpus, MOST_CPUS),
    memoryKib: wholeNumber(told.memoryKib, MOST_KIB),
    spaceKib: wholeNumber(told.spaceKib, MOST_KIB),
    hostname: hostname(told.hostname),
    conditions: told.conditions && conditions(told.conditions),
  };
  return Object.fromEntries(Object.entries(sound).filter(([, value]) => value !== undefined));
}
