// docs/reference/endpoints.md: a table of endpoints for each tag and each object once, generated from the
// route definitions.

import { routes } from '../../../src/contract/index.ts';
import { getResponseSchema } from '../../../src/contract/openapi.ts';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { describeRoute, getErrorStatuses } from '../../../src/contract/route-definition.ts';
import { code, table } from './markdown.ts';

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

/** An object with its own section. */
interface NamedObject {
  readonly name: string;
  readonly shape: Shape;
  readonly isInput: boolean;
}

/** Objects with at most this number of fields are described in the row of their endpoint. */
const MAX_INLINE_FIELDS = 2;
/** An object refers to another one that it contains completely if that has at least this number of fields. */
const MIN_SHARED_FIELDS = 2;

/**
 * Names of objects whose route ID gives no good name: of responses by a unique field, otherwise by the path.
 */
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

/** Names of inner objects by their field. */
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
const visibleFields = (shape: Shape): readonly (readonly [string, Shape])[] =>
  Object.entries(shape.properties ?? {}).filter(([, field]) => !isPathField(field));

/** Ignores the description. */
const toKey = (shape: Shape): string =>
  JSON.stringify(visibleFields(shape).map(([name, field]) => [name, field, shape.required?.includes(name)]));

/** Objects that another page describes. */
const DESCRIBED_AT: Readonly<Record<string, string>> = {
  Policy: '../guides/run-operations.md#policy',
  Problem: 'errors.md',
  'Ansible host variables': '../guides/inventories.md',
};

const toAnchor = (name: string) => name.toLowerCase().replaceAll(' ', '-');
const linkTo = ({ name }: NamedObject) => `[${name}](${DESCRIBED_AT[name] ?? `#${toAnchor(name)}`})`;

type Part = 'body' | 'response';

/** The objects in a part of a route, also those of a list and of alternatives. */
function findObjects(shape: Shape): readonly Shape[] {
  if (shape.anyOf) return shape.anyOf.flatMap(findObjects);
  if (shape.items) return findObjects(shape.items);
  return visibleFields(shape).length > MAX_INLINE_FIELDS ? [shape] : [];
}

const splitWords = (id: string) =>
  id
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .split(' ');

function nameObject(id: string, { method, path }: RouteDefinition, part: Part, shape: Shape): string {
  const field = Object.keys(NAMES_BY_FIELD).find(candidate => candidate in (shape.properties ?? {}));
  const specialName =
    (part === 'response' && field !== undefined ? NAMES_BY_FIELD[field] : undefined) ??
    NAMES_BY_PATH[`${method} ${path} ${part}`];
  if (specialName !== undefined) return specialName;
  const [, ...noun] = splitWords(id);
  const subject = noun.join(' ').replace(/^./, letter => letter.toUpperCase());
  return part === 'body' ? `${subject} request` : subject;
}

/** The inner objects of an object that have a name, with it. */
const namedInside = (shape: Shape): readonly (readonly [string, Shape])[] =>
  visibleFields(shape).flatMap(([field, value]) => {
    const inner = value.items ?? value;
    const name = NAMES_OF_INNER[field];
    return [...namedInside(inner), ...(name !== undefined && inner.properties ? [[name, inner] as const] : [])];
  });

/** The names of the fields; those of the three operation records count as equal. */
const fieldNames = (shape: Shape) =>
  visibleFields(shape)
    .map(([name]) => (DONE_HOSTS.includes(name) ? 'deployed' : name))
    .filter(name => name !== 'version' || !('deployed' in (shape.properties ?? {})))
    .join();

function nameObjects(): ReadonlyMap<string, NamedObject> {
  const found = new Map<string, NamedObject>();
  const usedNames = new Set<string>();
  const add = (name: string, shape: Shape, isInput: boolean) => {
    const names = fieldNames(shape);
    if ([...found.values()].some(other => fieldNames(other.shape) === names)) return;
    if (usedNames.has(name)) throw new Error(`two objects are named ${name}: add one to NAMES_BY_PATH`);
    usedNames.add(name);
    found.set(toKey(shape), { name, shape, isInput });
  };
  for (const [id, route] of Object.entries<RouteDefinition>(routes))
    for (const part of ['body', 'response'] as const)
      for (const shape of findObjects((route[part] ?? {}) as Shape)) {
        add(nameObject(id, route, part, shape), shape, part !== 'response');
        for (const [name, inner] of namedInside(shape)) add(name, inner, false);
      }
  return found;
}

const objects = nameObjects();

/** The same object, or one with the same fields: a policy with all defaults, or a host without its output. */
const findNamedObject = (shape: Shape): NamedObject | undefined =>
  visibleFields(shape).length === 0
    ? undefined
    : (objects.get(toKey(shape)) ??
      [...objects.values()].find(
        other => visibleFields(shape).length > MAX_INLINE_FIELDS && fieldNames(other.shape) === fieldNames(shape),
      ));

function formatType(shape: Shape): string {
  const named = findNamedObject(shape);
  if (named) return linkTo(named);
  if (shape.enum) return shape.enum.map(value => code(String(value))).join(', ');
  if (shape.const !== undefined) return code(String(shape.const));
  if (shape.anyOf) return [...new Set(shape.anyOf.map(formatType))].join(' or ');
  if (shape.maxItems === 0) return '`[]`';
  if (shape.items) return `list of ${formatType(shape.items)}`;
  return shape.type ?? 'any';
}

/** A rule is the sentence of an error message, without a capital letter and a full stop. */
function formatMeaning({ description, rule }: Shape): string {
  const sentences = [description, rule].filter(text => text !== undefined && text !== '');
  return sentences.map(text => `${text?.charAt(0).toUpperCase()}${text?.slice(1)}`.replace(/\.?$/, '.')).join(' ');
}

/** Of the three operation records, only that of a deploy has a version. */
const fieldMeaning = (shape: Shape, name: string, field: Shape) =>
  name === 'version' && 'deployed' in (shape.properties ?? {}) ? 'Only for a deploy.' : formatMeaning(field);

/** Types that the introduction of the page explains, by the description of their fields. */
const EXPLAINED_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^Time in UTC, such as `2015-12-17T15:48:18\.710454`\.$/, 'time'],
  [/^IPv4 address, or IPv6 address in canonical form \(RFC 5952\)\.$/, 'address'],
];

interface FieldEntry {
  readonly label: string;
  readonly type: string;
  readonly meaning: string;
}

function createEntry(label: string, field: Shape, meaning: string, mark: string): FieldEntry {
  const explained = EXPLAINED_TYPES.find(([text]) => text.test(meaning));
  const type = explained ? explained[1] : formatType(field);
  return { label, type: type + mark, meaning: explained ? '' : meaning };
}

/** Inner objects without a name are listed by their fields: `field.inner`, in lists `field[].inner`. */
function fieldEntries(shape: Shape, isInput: boolean, without: ReadonlySet<string>, prefix = ''): FieldEntry[] {
  return visibleFields(shape)
    .filter(([name]) => !without.has(name))
    .flatMap(([name, field]) => {
      const inner = field.items ?? field;
      const isRequired = shape.required?.includes(name) ?? false;
      const mark = isRequired === isInput ? (isInput ? ', required' : ', optional') : '';
      const path = field.items ? `${prefix}${name}[].` : `${prefix}${name}.`;
      const label = DONE_HOSTS.includes(name) ? DONE_HOSTS.map(code).join(', ') : code(prefix + name);
      const nested = findNamedObject(inner) === undefined ? fieldEntries(inner, isInput, new Set(), path) : [];
      const entry = createEntry(label, field, fieldMeaning(shape, name, field), mark);
      const needsItem = nested.length === 0 || entry.meaning !== '' || mark !== '';
      return [...(needsItem ? [entry] : []), ...nested];
    });
}

const groupByType = (entries: readonly FieldEntry[]): readonly string[] =>
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
    ...(plain.length > 0 ? [`- ${groupByType(plain).join('; ')}`] : []),
    ...[...explained].map(([meaning, same]) => `- ${groupByType(same).join('; ')}: ${meaning}`),
  ].join('\n');
}

const contains = (shape: Shape, other: Shape) =>
  visibleFields(other).every(([name, field]) => JSON.stringify(shape.properties?.[name]) === JSON.stringify(field));

/** The largest other object that has only fields of this one. */
function findBase({ shape, isInput }: NamedObject): NamedObject | undefined {
  return [...objects.values()]
    .filter(other => other.shape !== shape && other.isInput === isInput)
    .filter(
      other =>
        visibleFields(other.shape).length >= MIN_SHARED_FIELDS &&
        visibleFields(other.shape).length < visibleFields(shape).length &&
        contains(shape, other.shape),
    )
    .sort((a, b) => visibleFields(b.shape).length - visibleFields(a.shape).length)[0];
}

function describeObject(object: NamedObject): string {
  const base = findBase(object);
  const without = new Set(base ? visibleFields(base.shape).map(([name]) => name) : []);
  return [
    `### ${object.name}`,
    ...(base ? [`All fields of ${linkTo(base)}, and:`] : []),
    listFields(fieldEntries(object.shape, object.isInput, without)),
  ].join('\n\n');
}

function inlineFields(shape: Shape, isInput: boolean): string {
  const fields = visibleFields(shape).map(([name, field]) => {
    const isOptional = isInput && !shape.required?.includes(name);
    return `${code(name)} (${formatType(field)}${isOptional ? ', optional' : ''})`;
  });
  return fields.join(', ');
}

function formatContent(shape: Shape, isInput: boolean): string {
  if (shape.anyOf) return [...new Set(shape.anyOf.map(part => formatContent(part, isInput)))].join(' or ');
  if (shape.items) return shape.maxItems === 0 ? '`[]`' : `list of ${formatContent(shape.items, isInput)}`;
  if (shape.properties && !findNamedObject(shape)) return inlineFields(shape, isInput) || '–';
  return formatType(shape);
}

const PAGING = ['limit', 'after'];

/** The names of the parameters; lists have the same two for paging. */
function formatQuery(shape: Shape): string {
  const names = visibleFields(shape).map(([name]) => name);
  const isPaged = PAGING.every(name => names.includes(name));
  const filters = names.filter(name => !isPaged || !PAGING.includes(name));
  return [
    ...(filters.length > 0 ? [`query: ${filters.map(code).join(', ')}`] : []),
    ...(isPaged ? ['[paging](api.md#lists-and-paging)'] : []),
  ].join('; ');
}

function formatRequest(row: RouteDefinition): string {
  const query = row.query as Shape | undefined;
  const body = row.body ? formatContent(row.body as Shape, true) : '–';
  return [
    ...(query ? [formatQuery(query)] : []),
    ...(body === '–' ? [] : [`body: ${body}`]),
    ...(row.supportsIfMatch ? [code('If-Match')] : []),
    ...(row.supportsIdempotencyKey ? [code('Idempotency-Key')] : []),
    ...(row.supportsLastEventId ? [code('Last-Event-ID')] : []),
  ].join('; ');
}

const formatResponse = (row: RouteDefinition): string =>
  row.mediaType === undefined ? formatContent(getResponseSchema(row) as Shape, false) : code(row.mediaType);

/** The lowest role: each role includes the roles before it. */
function lowestRole({ roles, allowsOwnAccount }: RouteDefinition): string {
  if (roles === 'anyone') return 'none';
  const lowest = ['enrol', 'viewer', 'operator', 'admin'].find(role => (roles as readonly string[]).includes(role));
  return code(lowest ?? '') + (allowsOwnAccount ? ', or the account itself' : '');
}

/** Errors that depend on the route; the introduction of the page has the others. */
const formatErrors = (row: RouteDefinition): string =>
  [...new Set(getErrorStatuses(row))]
    .filter(status => [404, 409, 412].includes(status))
    .sort((a, b) => a - b)
    .join(', ');

const formatEndpoint = ({ method, path }: RouteDefinition) => code(`${method} ${path}`);

/** The page links to the rule about confirmations instead of repeating it. */
const CONFIRMATION = /In a session, this request needs a confirmation of the password within [^()]*\([^()]*\)\./;

const formatDescription = (row: RouteDefinition) =>
  describeRoute(row).replace(CONFIRMATION, 'In a session, it needs a [confirmation](api.md#sessions) of the password.');

/** Longer descriptions are below the table. */
const MAX_DESCRIPTION_IN_ROW = 160;
const hasShortDescription = (row: RouteDefinition) => formatDescription(row).length <= MAX_DESCRIPTION_IN_ROW;

const formatSummary = (row: RouteDefinition) =>
  hasShortDescription(row) && formatDescription(row) !== '' ? `${row.summary}. ${formatDescription(row)}` : row.summary;

function formatNotes(tagRoutes: readonly RouteDefinition[]): readonly string[] {
  const withNote = tagRoutes.filter(row => !hasShortDescription(row));
  const notes = [...Map.groupBy(withNote, row => formatDescription(row))].map(
    ([text, same]) => `- ${same.map(formatEndpoint).join(', ')}: ${text}`,
  );
  const aliases = tagRoutes.flatMap(row =>
    (row.aliases ?? []).map(alias => `- ${code(alias)} is the same as ${code(row.path)}.`),
  );
  return [...notes, ...aliases];
}

function describeTag(tag: string, tagRoutes: readonly RouteDefinition[]): string {
  const notes = formatNotes(tagRoutes);
  return [
    `### ${tag}`,
    table(
      ['Endpoint', 'Lowest role', 'Summary', 'Request', 'Response', 'Errors'],
      tagRoutes.map(row => [
        formatEndpoint(row),
        lowestRole(row),
        formatSummary(row),
        formatRequest(row),
        formatResponse(row),
        formatErrors(row),
      ]),
    ),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n');
}

export const endpointTables = (): string =>
  [...Map.groupBy(Object.values<RouteDefinition>(routes), ({ tag }) => tag)]
    .map(([tag, tagRoutes]) => describeTag(tag, tagRoutes))
    .join('\n\n');

export const objectTables = (): string =>
  [...objects.values()]
    .filter(({ name }) => !(name in DESCRIBED_AT))
    .map(describeObject)
    .join('\n\n');
