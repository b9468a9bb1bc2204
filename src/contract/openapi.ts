// The OpenAPI 3.1 document, made from the rows. Shapes need no translation: OpenAPI 3.1 speaks JSON Schema, and so do they.
// Only words that come from drivers are filled in.

import type { TObject, TRecord, TSchema } from 'typebox';
import { IsArray, IsObject } from 'typebox';
import type { Deprecation } from './deprecation.ts';
import { deprecationSentence, leftOutSentence, partDeprecation, pathDeprecation } from './deprecation.ts';
import { Name, OperationId } from './fields.ts';
import { routes } from './index.ts';
import { variablesIn } from './path-variables.ts';
import { Problem } from './problem.ts';
import type { Route } from './route.ts';
import { refusalsOf, routeDescription } from './route.ts';

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Bad syntax of path, query or body',
  401: 'Missing or wrong credentials',
  403: "The account's role, or the enrolment token, does not allow it",
  404: 'No such record',
  409: 'The state of the records does not allow it',
  412: '`If-Match` failed',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Too many failed logins',
  503: 'The store cannot be reached, or the service is busy',
};

const IDEMPOTENCY_KEY =
  '1 to 128 visible characters of ASCII. A repeat with the same key finds what the first has started, also for a day after that has ended.';

const LAST_EVENT_ID =
  'The number of the last event that you know of, as browsers send it when they connect again. It counts before `after`.';

const HOSTLER_EVENT = {
  'Hostler-Event': {
    description:
      'The position that the answer is true for. Whoever goes on from there at `/api/v0/events` misses nothing that came later.',
    schema: { type: 'integer' },
  },
};

const problem = (status: number) => ({
  description: REFUSALS[status] ?? 'Refused',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** The mark that OpenAPI and JSON Schema have, and the reason among the words that are there. */
const marked = (deprecation: Deprecation | undefined, description?: string) =>
  deprecation && {
    deprecated: true,
    description: [description, deprecationSentence(deprecation)].filter(Boolean).join(' '),
  };

/** What is said of a field or parameter. */
const descriptionOf = (schema: object): string | undefined =>
  'description' in schema && typeof schema.description === 'string' ? schema.description : undefined;

/** The shape with what is said of fields of its own, or of the records in a list. */
function withMarks(
  row: Route,
  schema: TSchema,
  marksOf: (name: string, field: TSchema) => object | undefined,
): object {
  if (!row.deprecations) return schema;
  if (IsArray(schema)) return { ...schema, items: withMarks(row, schema.items, marksOf) };
  if (!IsObject(schema)) return schema;
  const properties: Record<string, object> = {};
  for (const [name, field] of Object.entries(schema.properties))
    properties[name] = { ...field, ...marksOf(name, field) };
  return { ...schema, properties };
}

function responses(row: Route) {
  const typeOf = (mediaType = 'application/json') => mediaType.split(';')[0] ?? '';
  const answer = withMarks(row, row.answer, (name, field) =>
    marked(partDeprecation(row, 'answer field', name), descriptionOf(field)),
  );
  const success = {
    [typeOf(row.mediaType)]: { schema: answer },
    ...(row.alsoAs && { [typeOf(row.alsoAs)]: { schema: answer } }),
  };
  const statuses: Record<number, unknown> = {};
  const isRead = row.method === 'GET' && row.roles !== 'anyone';
  for (const status of row.statuses) {
    statuses[status] = {
      description: status === 201 ? 'Made' : 'Done',
      ...(isRead && { headers: HOSTLER_EVENT }),
      content: success,
    };
  }
  for (const status of refusalsOf(row)) statuses[status] = problem(status);
  return statuses;
}

const IN_PATH: Readonly<Record<string, object>> = {
  name: Name,
  address: { type: 'string', description: 'An IPv4 or IPv6 literal' },
  id: OperationId,
};

const inHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description,
});

function parameters(row: Route) {
  const inPath = variablesIn(row.path).map(name => ({
    name,
    in: 'path',
    required: true,
    schema: IN_PATH[name] ?? { type: 'string' },
  }));
  const inQuery = Object.entries(row.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
    ...marked(partDeprecation(row, 'parameter', name), descriptionOf(schema)),
  }));
  const headers = [
    ...(row.isConditional ? [inHeader('If-Match', 'The `ETag` of a GET')] : []),
    ...(row.hasLastEventId ? [inHeader('Last-Event-ID', LAST_EVENT_ID)] : []),
    ...(row.hasIdempotencyKey ? [inHeader('Idempotency-Key', IDEMPOTENCY_KEY)] : []),
  ];
  return [...inPath, ...inQuery, ...headers];
}

const whoMay = (row: Route) =>
  row.roles === 'anyone'
    ? 'Needs no credentials.'
    : `For ${row.roles.map(role => `\`${role}\``).join(', ')}${row.alsoSelf ? ', and the account itself' : ''}.`;

/** That a field is left out has no mark in OpenAPI; its description says so. */
const leftOut = (deprecation: Deprecation | undefined, description?: string) =>
  deprecation && { description: [description, leftOutSentence(deprecation)].filter(Boolean).join(' ') };

const markedBody = (row: Route, schema: TObject | TRecord) =>
  withMarks(row, schema, (name, field) => ({
    ...leftOut(partDeprecation(row, 'left-out field', name), descriptionOf(field)),
    ...marked(partDeprecation(row, 'field', name), descriptionOf(field)),
  }));

/** Where no field is required, neither is a body. */
const requestBody = (row: Route, schema: TObject | TRecord) => ({
  required: IsObject(schema) && (schema.required ?? []).length > 0,
  content: { 'application/json': { schema: markedBody(row, schema) } },
});

/** What lets in: a password; or a session, whose cookie counts only beside the header. */
const BY_PASSWORD = { basic: [] };
const BY_SESSION = { session: [], dashboard: [] };

function securityOf({ roles, needsPassword }: Route) {
  if (roles === 'anyone') return [];
  return needsPassword ? [BY_PASSWORD] : [BY_PASSWORD, BY_SESSION];
}

const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic' },
  session: {
    ...{ type: 'apiKey', in: 'cookie', name: 'hostler-session' },
    description: 'As `PUT /api/v0/session` sets it; over TLS it is called `__Host-hostler-session`.',
  },
  dashboard: {
    ...{ type: 'apiKey', in: 'header', name: 'Hostler-Dashboard' },
    description: 'Always `1`: no form can send it. Without it the cookie does not count.',
  },
};

function operation(name: string, row: Route, path: string) {
  const description = [routeDescription(row), whoMay(row)].filter(Boolean).join(' ');
  return {
    operationId: name,
    tags: [row.tag],
    summary: row.summary,
    description,
    ...marked(pathDeprecation(row, path), description),
    parameters: parameters(row),
    ...(row.body && { requestBody: requestBody(row, row.body) }),
    responses: responses(row),
    security: securityOf(row),
  };
}

export interface OpenApiOperation extends ReturnType<typeof operation> {}

/** Words that are no closed set of the contract, but of what there is in this service. */
export interface Words {
  /** Every `os` that a driver may give a host. */
  readonly os: readonly string[];
  /** By which hosts can be reached. */
  readonly transport: readonly string[];
}

/** The document with the words listed wherever a field is marked by `wordsOf`. */
const withWords = <Document>(document: Document, words: Words): Document =>
  JSON.parse(JSON.stringify(document), (_key, part) => {
    const kind: unknown = part?.wordsOf;
    if (kind !== 'os' && kind !== 'transport') return part;
    const { wordsOf: _, maxLength: __, ...field } = part;
    return { ...field, enum: ['', ...words[kind]] };
  });

/** Operations have one name each; that of an alias says which it is of. */
export const operationIdOf = (name: string, row: Route, path: string): string =>
  path === row.path ? name : `${name}Alias`;

export function openApiDocument(
  version: string,
  words: Words,
  rows: Readonly<Record<string, Route>> = routes,
) {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [name, row] of Object.entries(rows)) {
    for (const path of [row.path, ...(row.aliases ?? [])]) {
      const described = operation(operationIdOf(name, row, path), row, path);
      paths[path] = { ...paths[path], [row.method.toLowerCase()]: described };
    }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Hostler',
      version,
      description: 'Manages clusters of hosts: their records, their bootstrap over SSH, and how they are.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [BY_PASSWORD, BY_SESSION],
    paths,
    components: {
      schemas: { Problem },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
  return withWords(document, words);
}
