// How values of other systems become facts. What is not of the right type counts as not told.

import type { SourceFacts } from '../../domain/hosts/host-facts.ts';
import { isRecord } from '../../lib/json.ts';

/** Values as another system has them; memory and space in KiB. */
export interface RawFacts {
  readonly os?: unknown;
  readonly cpus?: unknown;
  readonly memory?: unknown;
  readonly space?: unknown;
  readonly hostname?: unknown;
}

const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Less than one is told as 0 by systems that do not know. */
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

/** What a record with these names tells; one that is no record tells nothing. */
export const parseFactsRecord = (record: unknown): SourceFacts => parseFacts(isRecord(record) ? record : {});
