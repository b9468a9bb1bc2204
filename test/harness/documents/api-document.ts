// docs/reference/endpoints.md: a table of endpoints for each tag, and each object once, generated from the route definitions.

import { routes } from '../../../src/contract/index.ts';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { describeRoute, getErrorStatuses } from '../../../src/contract/route-definition.ts';
import { code, table } from './markdown-table.ts';

/** The keywords of JSON Schema that the page shows. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly rule?: string;
}

/** An object with a section of its own. */
interface NamedObject {
  readonly name: string;
  readonly shape: Shape;
  readonly isInput: boolean;
}

/** Objects with at most this number of fields are described in the row of their endpoint. */
const MAX_INLINE_FIELDS = 2;
/** An object refers to another one that it contains completely if that has at least this number of fields. */
const MIN_SHARED_FIELDS = 2;

/** Names of objects for which the ID of their first route has no good one: of responses by a field that no other object has, else by the path. */
const NAMES_BY_FIELD: Readonly<Record<string, string>> = {
  would_start: 'Dry run plan',
  deployed: 'Operation record',
  budget: 'Operation details',
  can: 'Operation',
  already_there: 'Operation host',
  hostler_status: 'Ansible host variables',
};
/** Fields of which each operation record has one. */
const DONE_HOSTS = ['deployed', 'upgraded', 'restarted'];

/** Names of inner objects, by the field that has them. */
const NAMES_OF_INNER: Readonly<Record<string, string>> = {
  in_process: 'Host progress',
  unavailable_hosts: 'Outage',
  problem: 'Problem',
};
const NAMES_BY_PATH: Readonly<Record<string, string>> = {
  'GET /api/v0/hosts response': 'Host in a list',
  'PUT /api/v0/hosts/bulk response': 'Enrolment result',
  'GET /api/v0/network/{name} response': 'Network or container manager',
  'PUT /api/v0/network/{name}/check response': 'Connection check result',
  'PUT /api/v0/webhook/{name}/test response': 'Webhook test result',
  'GET /api/v0/users response': 'Account',
  'GET /api/v0/tokens response': 'Token',
  'PUT /api/v0/token/{name} response': 'Token with secret',
  'GET /api/v0/audit response': 'Audit entry',
  'GET /api/v0/cluster/{name}/policy response': 'Policy',
};

const isPathField = ({ description }: Shape) => /^Must equal the .* in the URL\.$/.test(description ?? '');

/** The fields of an object without those that repeat the path. */
const fieldsOf = (shape: Shape): readonly (readonly [string, Shape])[] =>
  Object.entries(shape.properties ?? {}).filter(([, field]) => !isPathField(field));

/** The same object or list, whatever its description. */
const keyOf = (shape: Shape): string =>
  JSON.stringify(fieldsOf(shape).map(([name, field]) => [name, field, shape.required?.includes(name)]));

/** Objects that another page describes. */
const DESCRIBED_AT: Readonly<Record<string, string>> = {
  Policy: '../guides/run-operations.md#policy',
  Problem: 'errors.md',
  'Ansible host variables': '../guides/inventories.md',
};

const anchorOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');
const linkTo = ({ name }: NamedObject) => `[${name}](${DESCRIBED_AT[name] ?? `#${anchorOf(name)}`})`;

type Part = 'body' | 'response';

/** The objects in a part of a route, also those of a list and of alternatives. */
function objectsIn(shape: Shape): readonly Shape[] {
  if (shape.anyOf) return shape.anyOf.flatMap(objectsIn);
  if (shape.items) return objectsIn(shape.items);
  return fieldsOf(shape).length > MAX_INLINE_FIELDS ? [shape] : [];
}

const words = (id: string) =>
  id
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .split(' ');

function nameOf(id: string, { method, path }: RouteDefinition, part: Part, shape: Shape): string {
  const field = Object.keys(NAMES_BY_FIELD).find(each => each in (shape.properties ?? {}));
  const given =
    (part === 'response' && field !== undefined ? NAMES_BY_FIELD[field] : undefined) ??
    NAMES_BY_PATH[`${method} ${path} ${part}`];
  if (given !== undefined) return given;
  const [, ...noun] = words(id);
  const subject = noun.join(' ').replace(/^./, letter => letter.toUpperCase());
  return part === 'body' ? `${subject} request` : subject;
}

/** The inner objects of an object that have a name, with it. */
const namedInside = (shape: Shape): readonly (readonly [string, Shape])[] =>
  fieldsOf(shape).flatMap(([field, value]) => {
    const inner = value.items ?? value;
    const name = NAMES_OF_INNER[field];
    return [
      ...namedInside(inner),
      ...(name !== undefined && inner.properties ? [[name, inner] as const] : []),
    ];
  });

/** The names of the fields; those of the three operation records count as equal. */
const fieldNames = (shape: Shape) =>
  fieldsOf(shape)
    .map(([name]) => (DONE_HOSTS.includes(name) ? 'deployed' : name))
    .filter(name => name !== 'version' || !('deployed' in (shape.properties ?? {})))
    .join();

function nameObjects(): ReadonlyMap<string, NamedObject> {
  const found = new Map<string, NamedObject>();
  const taken = new Set<string>();
  const add = (name: string, shape: Shape, isInput: boolean) => {
    const names = fieldNames(shape);
    if ([...found.values()].some(other => fieldNames(other.shape) === names)) return;
    if (taken.has(name)) throw new Error(`two objects are named ${name}: add one to NAMES_BY_PATH`);
    taken.add(name);
    found.set(keyOf(shape), { name, shape, isInput });
  };
  for (const [id, row] of Object.entries<RouteDefinition>(routes))
    for (const part of ['body', 'response'] as const)
      for (const shape of objectsIn((row[part] ?? {}) as Shape)) {
        add(nameOf(id, row, part, shape), shape, part !== 'response');
        for (const [name, inner] of namedInside(shape)) add(name, inner, false);
      }
  return found;
}

const objects = nameObjects();

/** The object that this one is, or another one with the same fields: a policy with all defaults, a host without all of its output. */
const knownAs = (shape: Shape): NamedObject | undefined =>
  fieldsOf(shape).length === 0
    ? undefined
    : (objects.get(keyOf(shape)) ??
      [...objects.values()].find(
        other => fieldsOf(shape).length > MAX_INLINE_FIELDS && fieldNames(other.shape) === fieldNames(shape),
      ));

function typeOf(shape: Shape): string {
  const known = knownAs(shape);
  if (known) return linkTo(known);
  if (shape.enum) return shape.enum.map(value => code(String(value))).join(', ');
  if (shape.const !== undefined) return code(String(shape.const));
  if (shape.anyOf) return [...new Set(shape.anyOf.map(typeOf))].join(' or ');
  if (shape.maxItems === 0) return '`[]`';
  if (shape.items) return `list of ${typeOf(shape.items)}`;
  return shape.type ?? 'any';
}

/** A rule is the sentence of an error message, without a capital letter and a full stop. */
function meaningOf({ description, rule }: Shape): string {
  const sentences = [description, rule].filter(text => text !== undefined && text !== '');
  return sentences
    .map(text => `${text?.charAt(0).toUpperCase()}${text?.slice(1)}`.replace(/\.?$/, '.'))
    .join(' ');
}

/** Of the three operation records, only that of a deploy has a version. */
const meaningIn = (shape: Shape, name: string, field: Shape) =>
  name === 'version' && 'deployed' in (shape.properties ?? {}) ? 'Only for a deploy.' : meaningOf(field);

/** Types that the introduction of the page explains, by the description of their fields. */
const EXPLAINED_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^Time in UTC, such as `2015-12-17T15:48:18\.710454`\.$/, 'time'],
  [/^IPv4 address, or IPv6 address in canonical form \(RFC 5952\)\.$/, 'address'],
];

/** A field of an object, as the list has it. */
interface FieldEntry {
  readonly label: string;
  readonly type: string;
  readonly meaning: string;
}

function entryOf(label: string, field: Shape, meaning: string, mark: string): FieldEntry {
  const explained = EXPLAINED_TYPES.find(([text]) => text.test(meaning));
  const type = explained ? explained[1] : typeOf(field);
  return { label, type: type + mark, meaning: explained ? '' : meaning };
}

/** Inner objects without a name of their own are shown by their fields: `field.inner`, in lists `field[].inner`. */
function fieldEntries(
  shape: Shape,
  isInput: boolean,
  without: ReadonlySet<string>,
  prefix = '',
): FieldEntry[] {
  return fieldsOf(shape)
    .filter(([name]) => !without.has(name))
    .flatMap(([name, field]) => {
      const inner = field.items ?? field;
      const isRequired = shape.required?.includes(name) ?? false;
      const mark = isRequired === isInput ? (isInput ? ', required' : ', optional') : '';
      const path = field.items ? `${prefix}${name}[].` : `${prefix}${name}.`;
      const label = DONE_HOSTS.includes(name) ? DONE_HOSTS.map(code).join(', ') : code(prefix + name);
      const below = knownAs(inner) === undefined ? fieldEntries(inner, isInput, new Set(), path) : [];
      const own = entryOf(label, field, meaningIn(shape, name, field), mark);
      const needsItem = below.length === 0 || own.meaning !== '' || mark !== '';
      return [...(needsItem ? [own] : []), ...below];
    });
}

const inGroups = (entries: readonly FieldEntry[]): readonly string[] =>
  [...Map.groupBy(entries, ({ type }) => type)].map(
    ([type, same]) => `${same.map(({ label }) => label).join(', ')} (${type})`,
  );

/** An item for each field with a meaning; the fields without one are in the first item. */
function listFields(entries: readonly FieldEntry[]): string {
  const plain = entries.filter(({ meaning }) => meaning === '');
  const explained = Map.groupBy(
    entries.filter(({ meaning }) => meaning !== ''),
    ({ meaning }) => meaning,
  );
  return [
    ...(plain.length > 0 ? [`- ${inGroups(plain).join('; ')}`] : []),
    ...[...explained].map(([meaning, same]) => `- ${inGroups(same).join('; ')}: ${meaning}`),
  ].join('\n');
}

const contains = (shape: Shape, other: Shape) =>
  fieldsOf(other).every(
    ([name, field]) => JSON.stringify(shape.properties?.[name]) === JSON.stringify(field),
  );

/** The largest other object that has only fields of this one. */
function baseOf({ shape, isInput }: NamedObject): NamedObject | undefined {
  return [...objects.values()]
    .filter(other => other.shape !== shape && other.isInput === isInput)
    .filter(
      other =>
        fieldsOf(other.shape).length >= MIN_SHARED_FIELDS &&
        fieldsOf(other.shape).length < fieldsOf(shape).length &&
        contains(shape, other.shape),
    )
    .sort((a, b) => fieldsOf(b.shape).length - fieldsOf(a.shape).length)[0];
}

function describeObject(object: NamedObject): string {
  const base = baseOf(object);
  const without = new Set(base ? fieldsOf(base.shape).map(([name]) => name) : []);
  return [
    `### ${object.name}`,
    ...(base ? [`All fields of ${linkTo(base)}, and:`] : []),
    listFields(fieldEntries(object.shape, object.isInput, without)),
  ].join('\n\n');
}

function inlineFields(shape: Shape, isInput: boolean): string {
  const fields = fieldsOf(shape).map(([name, field]) => {
    const isOptional = isInput && !shape.required?.includes(name);
    return `${code(name)} (${typeOf(field)}${isOptional ? ', optional' : ''})`;
  });
  return fields.join(', ');
}

/** The content of one part of a route in a cell. */
function contentOf(shape: Shape, isInput: boolean): string {
  if (shape.anyOf) return [...new Set(shape.anyOf.map(part => contentOf(part, isInput)))].join(' or ');
  if (shape.items) return shape.maxItems === 0 ? '`[]`' : `list of ${contentOf(shape.items, isInput)}`;
  if (shape.properties && !knownAs(shape)) return inlineFields(shape, isInput) || '–';
  return typeOf(shape);
}

const PAGING = ['limit', 'after'];

/** The names of the parameters; lists have the same two for paging. */
function queryOf(shape: Shape): string {
  const names = fieldsOf(shape).map(([name]) => name);
  const isPaged = PAGING.every(name => names.includes(name));
  const filters = names.filter(name => !isPaged || !PAGING.includes(name));
  return [
    ...(filters.length > 0 ? [`query: ${filters.map(code).join(', ')}`] : []),
    ...(isPaged ? ['[paging](api.md#lists-and-paging)'] : []),
  ].join('; ');
}

function requestOf(row: RouteDefinition): string {
  const query = row.query as Shape | undefined;
  const body = row.body ? contentOf(row.body as Shape, true) : '–';
  return [
    ...(query ? [queryOf(query)] : []),
    ...(body === '–' ? [] : [`body: ${body}`]),
    ...(row.supportsIfMatch ? [code('If-Match')] : []),
    ...(row.supportsIdempotencyKey ? [code('Idempotency-Key')] : []),
    ...(row.supportsLastEventId ? [code('Last-Event-ID')] : []),
  ].join('; ');
}

const responseOf = (row: RouteDefinition): string =>
  row.mediaType === undefined ? contentOf(row.response as Shape, false) : code(row.mediaType);

/** The roles as one word: each role can do what the roles after it can. */
function lowestRole({ roles, allowsOwnAccount }: RouteDefinition): string {
  if (roles === 'anyone') return 'none';
  const lowest = ['enrol', 'viewer', 'operator', 'admin'].find(role =>
    (roles as readonly string[]).includes(role),
  );
  return code(lowest ?? '') + (allowsOwnAccount ? ', or the account itself' : '');
}

/** Errors that depend on the route; the introduction of the page has the others. */
const errorsOf = (row: RouteDefinition): string =>
  [...new Set(getErrorStatuses(row))]
    .filter(status => [404, 409, 412].includes(status))
    .sort((a, b) => a - b)
    .join(', ');

const endpointOf = ({ method, path }: RouteDefinition) => code(`${method} ${path}`);

/** The page links to the rule about confirmations instead of repeating it. */
const CONFIRMATION =
  /In a session, this request needs a confirmation of the password within [^()]*\([^()]*\)\./;

const descriptionOf = (row: RouteDefinition) =>
  describeRoute(row).replace(
    CONFIRMATION,
    'In a session, it needs a [confirmation](api.md#sessions) of the password.',
  );

/** Short descriptions are in the row of their endpoint, others below the table. */
const MAX_DESCRIPTION_IN_ROW = 160;
const hasShortDescription = (row: RouteDefinition) => descriptionOf(row).length <= MAX_DESCRIPTION_IN_ROW;

const summaryOf = (row: RouteDefinition) =>
  hasShortDescription(row) && descriptionOf(row) !== ''
    ? `${row.summary}. ${descriptionOf(row)}`
    : row.summary;

function notesOf(rows: readonly RouteDefinition[]): readonly string[] {
  const withNote = rows.filter(row => !hasShortDescription(row));
  const notes = [...Map.groupBy(withNote, row => descriptionOf(row))].map(
    ([text, same]) => `- ${same.map(endpointOf).join(', ')}: ${text}`,
  );
  const aliases = rows.flatMap(row =>
    (row.aliases ?? []).map(alias => `- ${code(alias)} is the same as ${code(row.path)}.`),
  );
  return [...notes, ...aliases];
}

function describeTag(tag: string, rows: readonly RouteDefinition[]): string {
  const notes = notesOf(rows);
  return [
    `### ${tag}`,
    table(
      ['Endpoint', 'Lowest role', 'Summary', 'Request', 'Response', 'Errors'],
      rows.map(row => [
        endpointOf(row),
        lowestRole(row),
        summaryOf(row),
        requestOf(row),
        responseOf(row),
        errorsOf(row),
      ]),
    ),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n');
}

export const endpointTables = (): string =>
  [...Map.groupBy(Object.values<RouteDefinition>(routes), ({ tag }) => tag)]
    .map(([tag, rows]) => describeTag(tag, rows))
    .join('\n\n');

export const objectTables = (): string =>
  [...objects.values()]
    .filter(({ name }) => !(name in DESCRIBED_AT))
    .map(describeObject)
    .join('\n\n');
