import type { SourceFacts } from '../../domain/hosts/host-facts.ts';
import { isHostname, MAX_CPUS, MAX_KIB } from '../../domain/hosts/host-facts.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';

const MAX_HOSTNAME_LENGTH = 253;
const MAX_CONDITIONS = 32;

const validInteger = (value: number | undefined, max: number) =>
  value !== undefined && Number.isSafeInteger(value) && value >= 0 && value <= max ? value : undefined;

const validHostname = (text: string | undefined) =>
  text !== undefined && isHostname(text, MAX_HOSTNAME_LENGTH) ? text : undefined;

const sanitizeConditions = (facts: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(facts)
      .slice(0, MAX_CONDITIONS)
      .map(([name, state]) => [sanitizeLine(name, 64), sanitizeLine(state, 64)]),
  );

/** The prepared JSON of a host in the store needs an `os` from a fixed set and integers. */
export function sanitizeFacts(facts: SourceFacts, osNames: readonly string[]): SourceFacts {
  const valid = {
    os: osNames.find(name => name === facts.os),
    cpus: validInteger(facts.cpus, MAX_CPUS),
    memoryKib: validInteger(facts.memoryKib, MAX_KIB),
    spaceKib: validInteger(facts.spaceKib, MAX_KIB),
    hostname: validHostname(facts.hostname),
    conditions: facts.conditions && sanitizeConditions(facts.conditions),
  };
  return Object.fromEntries(Object.entries(valid).filter(([, value]) => value !== undefined));
}
