// How values of other systems become facts. What is not of the right type counts as not told.

import type { SourceFacts } from '../../domain/hosts/source-facts.ts';
import { isRecord } from '../../lib/is-record.ts';

/** Values as another system has them; memory and space in KiB. */
export interface RawFacts {
  readonly os?: unknown;
  readonly cpus?: unknown;
  readonly memory?: unknown;
  readonly space?: unknown;
  readonly hostname?: unknown;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Less than one is told as 0 by systems that do not know. */
const amount = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 1 ? Math.floor(value) : undefined;

export function toldFacts(raw: RawFacts): SourceFacts {
  const facts = {
    os: text(raw.os),
    cpus: amount(raw.cpus),
    memoryKib: amount(raw.memory),
    spaceKib: amount(raw.space),
    hostname: text(raw.hostname),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** What a record with these names tells; one that is no record tells nothing. */
export const factsOfRecord = (record: unknown): SourceFacts => toldFacts(isRecord(record) ? record : {});
