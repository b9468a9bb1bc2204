import type { Static } from 'typebox';
import Type from 'typebox';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';
import { getAtPointer } from '../../../lib/json.ts';
import { filePathOption, tlsClientOptions, tlsFileOptions } from '../../option-schemas.ts';
import { parseFacts } from '../parse-facts.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;
type Unit = (typeof UNITS)[number];

const KIB_PER_UNIT: Readonly<Record<Unit, number>> = { B: 1 / 1024, KiB: 1, MiB: 1024, GiB: 1024 ** 2 };

const FIELDS = ['os', 'cpus', 'memory', 'space', 'hostname'] as const;
type Field = (typeof FIELDS)[number];

const toKib = (value: unknown, unit: Unit = 'KiB') =>
  typeof value === 'number' ? value * KIB_PER_UNIT[unit] : undefined;

const pointer = Type.String({
  pattern: '^(/([^~]|~[01])*)?$',
  maxLength: 1024,
  rule: 'must be a JSON Pointer, such as /hardware/cpus',
  description: 'JSON Pointer into the response.',
});

const unit = (field: string) =>
  Type.Optional(
    Type.Enum(UNITS, {
      description: `Unit of ${field} in the response: ${UNITS.join(', ')}. Default \`KiB\`.`,
    }),
  );

export const optionsSchema = tlsClientOptions({
  url: Type.String({
    pattern: '^https?://([^\\s/?#@:[\\]{}]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/[^\\s#]*\\{address\\}[^\\s#]*$',
    format: 'valid-url',
    maxLength: 2048,
    rule: 'must be a URL (http, https) without user name, with {address} in its path or query',
    description: 'URL of the record of a host. `{address}` is replaced by the address of the host.',
  }),
  headers: Type.Optional(
    Type.Record(
      Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$" }),
      Type.String({
        pattern: '^[\\u0020-\\u007e]*$',
        maxLength: 8192,
        rule: 'must be one line of printable ASCII characters',
      }),
      { description: 'Headers of each request.' },
    ),
  ),
  token_path: Type.Optional(filePathOption('File with a bearer token, read again for each use.')),
  ...tlsFileOptions,
  fields: Type.Optional(
    Type.Object(
      {
        os: Type.Optional(pointer),
        cpus: Type.Optional(pointer),
        memory: Type.Optional(pointer),
        space: Type.Optional(pointer),
        hostname: Type.Optional(pointer),
      },
      {
        additionalProperties: false,
        description:
          'JSON Pointers to the facts in the response: `os`, `cpus`, `memory`, `space`, `hostname`. Default: `/os`, `/cpus` and so on.',
      },
    ),
  ),
  memory_unit: unit('memory'),
  space_unit: unit('space'),
});

export type HttpOptions = Static<typeof optionsSchema>;

/** Returns `undefined` if the response contains none of the fields, because it is then not a host record. */
export function extractFacts(
  response: unknown,
  { fields = {}, memory_unit, space_unit }: Pick<HttpOptions, 'fields' | 'memory_unit' | 'space_unit'>,
): SourceFacts | undefined {
  const find = (field: Field) => getAtPointer(response, fields[field] ?? `/${field}`);
  const isPresent = (value: unknown) => value !== undefined && (value !== response || typeof value !== 'object');
  if (!FIELDS.some(field => isPresent(find(field)))) return undefined;
  return parseFacts({
    os: find('os'),
    cpus: find('cpus'),
    memory: toKib(find('memory'), memory_unit),
    space: toKib(find('space'), space_unit),
    hostname: find('hostname'),
  });
}
