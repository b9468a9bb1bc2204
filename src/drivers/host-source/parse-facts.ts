// Converts external values to facts. Values with unexpected types are omitted.

import type { SourceFacts } from '../../domain/hosts/host-facts.ts';
import { isRecord } from '../../lib/json.ts';

/** Memory and space in KiB. */
type RawFacts = Readonly<Partial<Record<'os' | 'cpus' | 'memory' | 'space' | 'hostname', unknown>>>;

const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Systems report 0 for an unknown amount. */
const toAmount = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 1 ? Math.floor(value) : undefined;

export function parseFacts(raw: RawFacts): SourceFacts {
  const facts = {
    os: toText(raw.os),
    cpus: toAmount(raw.cpus),
    memoryKib: toAmount(raw.memory),
    spaceKib: toAmount(raw.space),
    hostname: toText(raw.hostname),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

export const parseFactsRecord = (record: unknown): SourceFacts => parseFacts(isRecord(record) ? record : {});
