// OpenAPI 3.1 uses JSON Schema, so schemas are included unchanged, except for values that come from drivers.

import type { TObject, TRecord, TSchema } from 'typebox';
import Type, { IsObject } from 'typebox';
import { EventSchema } from './event-payloads.ts';
import { EXAMPLES } from './examples.ts';
import { Name, OperationId, Problem } from './fields.ts';
import { routes } from './index.ts';
import { findPathVariables } from './path-variables.ts';
import type { RouteDefinition } from './route-definition.ts';
import { describeRoute, getErrorStatuses, getSuccessStatuses, TAGS } from './route-definition.ts';
import { EventReset, OutputNotification } from './routes/events.ts';

const ERROR_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'Invalid path, query, header or body',
  401: 'Missing or invalid credentials',
  403: 'The role of the account, or the enrolment token, does not allow the request',
  404: 'The record does not exist',
  409: 'The state of the records does not allow the request',
  412: '`If-Match` does not match the current `ETag`',
  413: 'The body is too large',
  415: 'The body is not JSON, or is compressed',
  429: 'Too many failed logins, or too many requests of this kind',
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

const problemResponse = (status: number) => ({
  description: ERROR_DESCRIPTIONS[status] ?? 'Error',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** Of all responses with a success status. */
export const getResponseSchema = ({ response, extendedResponse }: RouteDefinition): TSchema =>
  extendedResponse === undefined ? response : Type.Union([response, extendedResponse]);

function toResponses(route: RouteDefinition) {
  const toMediaType = (mediaType = 'application/json') => mediaType.split(';')[0] ?? '';
  const schema = getResponseSchema(route);
  const content = {
    [toMediaType(route.mediaType)]: { schema },
    ...(route.alternateMediaType && { [toMediaType(route.alternateMediaType)]: { schema } }),
  };
  const statuses: Record<number, unknown> = {};
  const isRead = route.method === 'GET' && route.roles !== 'anyone';
  for (const status of getSuccessStatuses(route)) {
    statuses[status] = {
      description: status === 201 ? 'Created' : 'OK',
      ...(isRead && { headers: HOSTLER_EVENT }),
      content,
    };
  }
  for (const status of getErrorStatuses(route)) statuses[status] = problemResponse(status);
  return statuses;
}

const PATH_SCHEMAS: Readonly<Record<string, object>> = {
  name: Name,
  address: { type: 'string', description: 'IPv4 or IPv6 address.' },
  id: OperationId,
};

const headerParameter = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description,
});

function toParameters(route: RouteDefinition) {
  const pathParameters = findPathVariables(route.path).map(name => ({
    name,
    in: 'path',
    required: true,
    schema: PATH_SCHEMAS[name] ?? { type: 'string' },
  }));
  const queryParameters = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
  const headers = [
    ...(route.supportsIfMatch ? [headerParameter('If-Match', '`ETag` of the record, from a GET or PUT.')] : []),
    ...(route.supportsLastEventId ? [headerParameter('Last-Event-ID', LAST_EVENT_ID)] : []),
    ...(route.supportsIdempotencyKey ? [headerParameter('Idempotency-Key', IDEMPOTENCY_KEY)] : []),
  ];
  return [...pathParameters, ...queryParameters, ...headers];
}

const describeRoles = (route: RouteDefinition) =>
  route.roles === 'anyone'
    ? 'No credentials required.'
    : `Allowed roles: ${route.roles.map(role => `\`${role}\``).join(', ')}${route.allowsOwnAccount ? ', and the account itself' : ''}.`;

const requestBody = (schema: TObject | TRecord) => ({
  required: IsObject(schema) && (schema.required ?? []).length > 0,
  content: { 'application/json': { schema } },
});

/** A password, or the session cookie together with the dashboard header. */
const BASIC_SECURITY = { basic: [] };
const SESSION_SECURITY = { session: [], dashboard: [] };

function toSecurity({ roles, requiresPassword }: RouteDefinition) {
  if (roles === 'anyone') return [];
  return requiresPassword ? [BASIC_SECURITY] : [BASIC_SECURITY, SESSION_SECURITY];
}

const SECURITY_SCHEMES = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'Name and password of an account. A host with an enrolment token sends the user `token` and the secret.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'hostler-session',
    description: 'Set by `PUT /api/v0/session`. Over TLS, its name is `__Host-hostler-session`.',
  },
  dashboard: {
    type: 'apiKey',
    in: 'header',
    name: 'Hostler-Dashboard',
    description: 'Always `1`. HTML forms cannot send it. Without it, the server ignores the cookie.',
  },
};

const EVENT_DELIVERY = {
  operationId: 'receiveEvent',
  tags: ['Webhooks'],
  summary: 'Delivery of an event to a webhook',
  requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } } },
  responses: { '2XX': { description: 'The receiver accepted the event' } },
};

function toOperation(name: string, route: RouteDefinition) {
  const description = [describeRoute(route), describeRoles(route)].filter(Boolean).join(' ');
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    description,
    parameters: toParameters(route),
    ...(route.body && { requestBody: requestBody(route.body) }),
    responses: toResponses(route),
    security: toSecurity(route),
  };
}

interface OpenApiOperation extends ReturnType<typeof toOperation> {}

export interface DriverTypes {
  readonly os: readonly string[];
  readonly transport: readonly string[];
}

/** For each field with `enumFrom`. */
const withDriverEnums = <Document>(document: Document, driverTypes: DriverTypes): Document =>
  JSON.parse(JSON.stringify(document), (_key, node) => {
    const source: unknown = node?.enumFrom;
    if (source !== 'os' && source !== 'transport') return node;
    const { enumFrom: _, maxLength: __, ...field } = node;
    return { ...field, enum: ['', ...driverTypes[source]] };
  });

/** Moves each schema with a name to the components, and refers to it from all its places. Removes our own keywords. */
function withComponents<Document extends { readonly components: { readonly schemas: object } }>(document: Document) {
  const schemas = new Map<string, object>();
  // The reviver visits nested schemas first.
  const result: Document = JSON.parse(JSON.stringify(document), (_key, node) => {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return node;
    const { 'x-component': component, rule, ...schema } = node;
    // A property of an object can have the name `rule`; its value is a schema.
    if (typeof component !== 'string') return typeof rule === 'string' ? schema : node;
    const known = schemas.get(component);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas have the name ${component}`);
    schemas.set(component, schema);
    return { $ref: `#/components/schemas/${component}` };
  });
  const sorted = [...schemas]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => [name, { ...schema, ...(EXAMPLES[name] && { examples: [EXAMPLES[name]] }) }]);
  return { ...result, components: { ...result.components, schemas: Object.fromEntries(sorted) } };
}

/** An `operationId` must be unique, so aliases get a suffix. */
const toOperationId = (name: string, route: RouteDefinition, path: string): string =>
  path === route.path ? name : `${name}Alias`;

/** A trailing slash makes no difference. Generated clients send the path as it is documented. */
const toDocumentedPath = (path: string): string => path.replace(/(.)\/$/, '$1');

/** With all schemas in place, for the page that describes the API. */
export function buildInlineDocument(
  version: string,
  driverTypes: DriverTypes,
  definitions: Readonly<Record<string, RouteDefinition>> = routes,
) {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [name, route] of Object.entries(definitions)) {
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const operation = toOperation(toOperationId(name, route, path), route);
      const documented = toDocumentedPath(path);
      paths[documented] = { ...paths[documented], [route.method.toLowerCase()]: operation };
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
    servers: [{ url: '/', description: 'The server of this document' }],
    security: [BASIC_SECURITY, SESSION_SECURITY],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: { event: { post: EVENT_DELIVERY } },
    components: {
      schemas: { Problem, Event: EventSchema, EventReset, OutputNotification },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
  return withDriverEnums(document, driverTypes);
}

export const buildOpenApiDocument = (...args: Parameters<typeof buildInlineDocument>) =>
  withComponents(buildInlineDocument(...args));
