// The OpenAPI 3.1 document, generated from the route definitions. OpenAPI 3.1 uses JSON Schema, so schemas are included unchanged, except for
// values that come from drivers.

import type { TObject, TRecord } from 'typebox';
import { IsObject } from 'typebox';
import { Name, OperationId } from './fields.ts';
import { routes } from './index.ts';
import { variablesIn } from './path-variables.ts';
import { Problem } from './problem.ts';
import type { Route } from './route.ts';
import { refusalsOf, routeDescription, TAGS } from './route.ts';

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Invalid path, query, header or body',
  401: 'Missing or invalid credentials',
  403: 'The role of the account, or the enrolment token, does not allow the request',
  404: 'The record does not exist',
  409: 'The state of the records does not allow the request',
  412: '`If-Match` does not match the current `ETag`',
  413: 'The body is too large',
  415: 'The body is not JSON, or is compressed',
  429: 'Too many failed logins',
  503: 'The store is unavailable, or the server is busy',
};

const IDEMPOTENCY_KEY =
  '1 to 128 visible ASCII characters. A repeated request with the same key returns the operation that the first request started, until one day after the operation has ended.';

const LAST_EVENT_ID =
  'ID of the last event that the client received. Browsers send it when they reconnect. It has priority over `after`.';

const HOSTLER_EVENT = {
  'Hostler-Event': {
    description:
      'ID of the newest event that the response reflects. A client that passes it to `/api/v0/events` as `after` misses no later change.',
    schema: { type: 'integer' },
  },
};

const problem = (status: number) => ({
  description: REFUSALS[status] ?? 'Error',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

function responses(row: Route) {
  const typeOf = (mediaType = 'application/json') => mediaType.split(';')[0] ?? '';
  const success = {
    [typeOf(row.mediaType)]: { schema: row.answer },
    ...(row.alsoAs && { [typeOf(row.alsoAs)]: { schema: row.answer } }),
  };
  const statuses: Record<number, unknown> = {};
  const isRead = row.method === 'GET' && row.roles !== 'anyone';
  for (const status of row.statuses) {
    statuses[status] = {
      description: status === 201 ? 'Created' : 'OK',
      ...(isRead && { headers: HOSTLER_EVENT }),
      content: success,
    };
  }
  for (const status of refusalsOf(row)) statuses[status] = problem(status);
  return statuses;
}

const IN_PATH: Readonly<Record<string, object>> = {
  name: Name,
  address: { type: 'string', description: 'IPv4 or IPv6 address.' },
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
  }));
  const headers = [
    ...(row.isConditional ? [inHeader('If-Match', '`ETag` of the record, from a GET or PUT.')] : []),
    ...(row.hasLastEventId ? [inHeader('Last-Event-ID', LAST_EVENT_ID)] : []),
    ...(row.hasIdempotencyKey ? [inHeader('Idempotency-Key', IDEMPOTENCY_KEY)] : []),
  ];
  return [...inPath, ...inQuery, ...headers];
}

const whoMay = (row: Route) =>
  row.roles === 'anyone'
    ? 'No credentials required.'
    : `Allowed roles: ${row.roles.map(role => `\`${role}\``).join(', ')}${row.alsoSelf ? ', and the account itself' : ''}.`;

/** The body is optional if no field is required. */
const requestBody = (schema: TObject | TRecord) => ({
  required: IsObject(schema) && (schema.required ?? []).length > 0,
  content: { 'application/json': { schema } },
});

/** A request needs a password, or a session: the cookie together with the header. */
const BY_PASSWORD = { basic: [] };
const BY_SESSION = { session: [], dashboard: [] };

function securityOf({ roles, needsPassword }: Route) {
  if (roles === 'anyone') return [];
  return needsPassword ? [BY_PASSWORD] : [BY_PASSWORD, BY_SESSION];
}

const SECURITY_SCHEMES = {
  basic: {
    ...{ type: 'http', scheme: 'basic' },
    description:
      'Name and password of an account. A host with an enrolment token sends the user `token` and the secret.',
  },
  session: {
    ...{ type: 'apiKey', in: 'cookie', name: 'hostler-session' },
    description: 'Set by `PUT /api/v0/session`. Over TLS, its name is `__Host-hostler-session`.',
  },
  dashboard: {
    ...{ type: 'apiKey', in: 'header', name: 'Hostler-Dashboard' },
    description: 'Always `1`. HTML forms cannot send it. Without it, the server ignores the cookie.',
  },
};

function operation(name: string, row: Route) {
  const description = [routeDescription(row), whoMay(row)].filter(Boolean).join(' ');
  return {
    operationId: name,
    tags: [row.tag],
    summary: row.summary,
    description,
    parameters: parameters(row),
    ...(row.body && { requestBody: requestBody(row.body) }),
    responses: responses(row),
    security: securityOf(row),
  };
}

export interface OpenApiOperation extends ReturnType<typeof operation> {}

/** Values that the contract does not define, because they come from drivers. */
export interface Words {
  /** All values of `os` that drivers can set. */
  readonly os: readonly string[];
  /** All transports. */
  readonly transport: readonly string[];
}

/** The document with these values as `enum` of each field that has `wordsOf`. */
const withWords = <Document>(document: Document, words: Words): Document =>
  JSON.parse(JSON.stringify(document), (_key, part) => {
    const kind: unknown = part?.wordsOf;
    if (kind !== 'os' && kind !== 'transport') return part;
    const { wordsOf: _, maxLength: __, ...field } = part;
    return { ...field, enum: ['', ...words[kind]] };
  });

/** An `operationId` must be unique, so that of an alias has a suffix. */
const operationIdOf = (name: string, row: Route, path: string): string =>
  path === row.path ? name : `${name}Alias`;

export function openApiDocument(
  version: string,
  words: Words,
  rows: Readonly<Record<string, Route>> = routes,
) {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [name, row] of Object.entries(rows)) {
    for (const path of [row.path, ...(row.aliases ?? [])]) {
      const described = operation(operationIdOf(name, row, path), row);
      paths[path] = { ...paths[path], [row.method.toLowerCase()]: described };
    }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Hostler',
      version,
      description:
        'Manages clusters of Linux hosts: records, bootstrap over SSH, health checks and rolling operations.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [BY_PASSWORD, BY_SESSION],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
  return withWords(document, words);
}
