// The requests of the interface as a document: what each takes and answers, from the rows that the service is made of.

import { STATUS_CODES } from 'node:http';
import { routes } from '../../../src/contract/index.ts';
import type { Route } from '../../../src/contract/route.ts';
import { refusalsOf, routeDescription } from '../../../src/contract/route.ts';
import { code, table } from './markdown-table.ts';

/** What is looked at of a JSON Schema. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly rule?: string;
}

function typeOf(shape: Shape): string {
  if (shape.enum) return shape.enum.map(value => code(String(value))).join(', ');
  if (shape.const !== undefined) return code(String(shape.const));
  if (shape.anyOf) return [...new Set(shape.anyOf.map(typeOf))].join(' or ');
  if (shape.maxItems === 0) return 'an empty list, `[]`';
  if (shape.items) return `list of ${typeOf(shape.items)}`;
  return shape.type ?? 'any';
}

/** A description ends with a full stop; a rule is the sentence of an error message, without a capital letter and a full stop. */
function about({ description, rule }: Shape): string {
  if (description === undefined || rule === undefined) return description ?? rule ?? '';
  const end = description.endsWith('.') ? '' : '.';
  return `${description}${end} ${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`;
}

/** The fields of an object; those of inner ones with a dot, those of objects in lists with brackets before it. */
const fieldRows = (shape: Shape, prefix = ''): string[][] =>
  Object.entries(shape.properties ?? {}).flatMap(([name, field]) => [
    [code(prefix + name), typeOf(field), shape.required?.includes(name) ? 'yes' : '', about(field)],
    ...(field.items ? fieldRows(field.items, `${prefix}${name}[].`) : fieldRows(field, `${prefix}${name}.`)),
  ]);

const HEADS = ['field', 'type', 'always present', 'meaning'];

function shapeOf(title: string, shape: Shape, heads: readonly string[]): readonly string[] {
  if (shape.anyOf?.some(part => part.properties))
    return shape.anyOf.flatMap((part, index) => shapeOf(index === 0 ? title : 'Or', part, heads));
  const inner = shape.items?.properties ? shape.items : shape;
  const kind = inner === shape ? typeOf(shape) : 'list of objects';
  const text = about(shape);
  const rows = fieldRows(inner);
  return [
    `${title}: ${kind}.${text ? ` ${text.replace(/\.$/, '')}.` : ''}`,
    ...(rows.length > 0 ? [table(heads, rows)] : []),
  ];
}

function headersOf(row: Route): readonly string[] {
  const headers = [
    ...(row.isConditional ? ['If-Match'] : []),
    ...(row.hasIdempotencyKey ? ['Idempotency-Key'] : []),
    ...(row.hasLastEventId ? ['Last-Event-ID'] : []),
  ];
  return headers.length === 0 ? [] : [`Headers: ${headers.map(code).join(', ')}.`];
}

const answerOf = (row: Route): readonly string[] =>
  row.mediaType === undefined
    ? shapeOf('Response', row.answer as Shape, HEADS)
    : [`Response: ${code(row.mediaType)}.`];

function describeRoute(row: Route): string {
  const refusals = [...new Set(refusalsOf(row))].sort((a, b) => a - b);
  const statuses = [...row.statuses, ...refusals].map(status => `${status} ${STATUS_CODES[status]}`);
  const paths = [row.path, ...(row.aliases ?? [])].map(path => code(`${row.method} ${path}`));
  return [
    `#### ${paths[0]}`,
    `${row.summary}. ${routeDescription(row)}`.trimEnd(),
    ...(paths.length > 1 ? [`Alias: ${paths.slice(1).join(', ')}.`] : []),
    ...headersOf(row),
    ...(row.query ? shapeOf('Query', row.query as Shape, ['field', 'type', 'required', 'meaning']) : []),
    ...(row.body ? shapeOf('Body', row.body as Shape, ['field', 'type', 'required', 'meaning']) : []),
    ...answerOf(row),
    `Statuses: ${statuses.join(', ')}.`,
  ].join('\n\n');
}

export const requestSections = (): string =>
  [...Map.groupBy(Object.values<Route>(routes), ({ tag }) => tag)]
    .map(([tag, rows]) => [`### ${tag}`, ...rows.map(describeRoute)].join('\n\n'))
    .join('\n\n');
