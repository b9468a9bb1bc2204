import type { SourceFacts } from '../../../domain/hosts/source-facts.ts';
import { atPointer } from '../../../lib/json-pointer.ts';
import { toldFacts } from '../told-facts.ts';

export const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;
type Unit = (typeof UNITS)[number];

const KIB: Readonly<Record<Unit, number>> = { B: 1 / 1024, KiB: 1, MiB: 1024, GiB: 1024 ** 2 };

const FIELDS = ['os', 'cpus', 'memory', 'space', 'hostname'] as const;
type Field = (typeof FIELDS)[number];

interface Mapping {
  readonly fields?: Partial<Readonly<Record<Field, string>>>;
  readonly memory_unit?: Unit;
  readonly space_unit?: Unit;
}

const scaled = (value: unknown, unit: Unit = 'KiB') =>
  typeof value === 'number' ? value * KIB[unit] : undefined;

/** What an answer tells, by where the configuration says that it is; `undefined`: nothing is there, so it tells of something else. */
export function factsAt(
  answer: unknown,
  { fields = {}, memory_unit, space_unit }: Mapping,
): SourceFacts | undefined {
  const find = (field: Field) => atPointer(answer, fields[field] ?? `/${field}`);
  const isThere = (value: unknown) => value !== undefined && (value !== answer || typeof value !== 'object');
  if (!FIELDS.some(field => isThere(find(field)))) return undefined;
  return toldFacts({
    os: find('os'),
    cpus: find('cpus'),
    memory: scaled(find('memory'), memory_unit),
    space: scaled(find('space'), space_unit),
    hostname: find('hostname'),
  });
}
