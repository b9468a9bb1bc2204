import type { Static, TObject, TRecord, TSchema } from 'typebox';
import type { Role } from '../domain/vocabulary.ts';
import { findPathVariables } from './path-variables.ts';

// The route definition: it types the server, the client, the OpenAPI document and the table of roles.
// `app/` contains the behaviour of a route, `http/` its handler.

/** Size class of a body; `http/requests/json-body.ts` defines the limits. */
export type BodySize =
  /** A few fields. */
  | 'small'
  /** Fields with long texts, such as certificates. */
  | 'document'
  /** Lists of addresses. */
  | 'addresses'
  /** A list of hosts with their keys. */
  | 'hosts';

/** The groups of routes in the OpenAPI document, with their descriptions. */
export const TAGS = {
  Accounts: 'Accounts with a password and a role.',
  Audit: 'Log of all changes, reads of secrets and rejected requests.',
  Clusters: 'Clusters, their members and their policies.',
  'Container managers': 'Settings for Kubernetes, OpenShift, K3s and Docker Swarm.',
  Events: 'Stream of all changes.',
  Hosts: 'Enrolment, status, credentials, labels and maintenance of hosts.',
  Inventory: 'Hosts as an Ansible inventory, and as targets for Prometheus.',
  Networks: 'Settings for the networks of clusters.',
  Operations: 'Restart, upgrade and deploy, a few hosts at a time.',
  Service: 'State, version and metrics of the service.',
  Sessions: 'Sign-in for the dashboard.',
  Tokens: 'Tokens with which hosts enrol themselves.',
  Webhooks: 'Delivery of events to a URL.',
} as const;

type Tag = keyof typeof TAGS;

export interface RouteDefinition {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** As in the specification, with the variables `{name}`, `{address}` and `{id}`. A trailing slash makes no difference. */
  readonly path: `/${string}`;
  /** Other paths of the same route. */
  readonly aliases?: readonly `/${string}`[];
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Roles that can call the route; `anyone` needs no credentials. */
  readonly roles: readonly Role[] | 'anyone';
  /** The account that the path names can call it too, with any role. */
  readonly allowsOwnAccount?: true;
  /** The request needs a password; a session is not enough. */
  readonly requiresPassword?: true;
  /** A session needs a confirmation of the password. Requests with the password itself do not. */
  readonly requiresConfirmation?: true;
  /** The dashboard can send user name and password here instead of the session. */
  readonly acceptsPassword?: true;
  /** Works while the store is unavailable: the server then accepts accounts that authenticated shortly before. */
  readonly allowsCachedLogin?: true;
  /** No traces: programs call it every few seconds. */
  readonly skipsTracing?: true;
  readonly query?: TObject;
  /** A record is an object whose keys the client chooses; none of them repeats the path. */
  readonly body?: TObject | TRecord;
  /** Default: `small`. */
  readonly bodySize?: BodySize;
  /** Success statuses: 201 if the request created something, otherwise 200. */
  readonly statuses: readonly (200 | 201)[];
  readonly response: TSchema;
  /** Default: JSON. */
  readonly mediaType?: string;
  /** Alternative media type, for clients that accept it. */
  readonly alternateMediaType?: string;
  /** The route supports `Idempotency-Key`. */
  readonly supportsIdempotencyKey?: true;
  /** The route supports `Last-Event-ID`. */
  readonly supportsLastEventId?: true;
  /** The response is a stream that lasts as long as the client reads it. */
  readonly isStream?: true;
  /** The route supports `If-Match`. */
  readonly supportsIfMatch?: true;
  /** Error statuses that are specific to this route; `refusalsOf` adds those that follow from the other fields. */
  readonly errorStatuses?: readonly (404 | 409)[];
}

/** Keeps the exact types of a route definition. */
export const defineRoute = <const R extends RouteDefinition>(route: R): R => route;

export const READERS = ['admin', 'operator', 'viewer'] as const satisfies readonly Role[];
export const WRITERS = ['admin', 'operator'] as const satisfies readonly Role[];
export const ENROLLERS = ['admin', 'operator', 'enrol'] as const satisfies readonly Role[];
export const ADMINS = ['admin'] as const satisfies readonly Role[];

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The names of the variables in the path of a route. */
export type ParamName<R extends RouteDefinition> = ParamNames<R['path']>;
export type QueryOf<R extends RouteDefinition> = R extends { query: infer S extends TObject }
  ? Static<S>
  : undefined;
export type BodyOf<R extends RouteDefinition> = R extends { body: infer S extends TObject | TRecord }
  ? Static<S>
  : undefined;
export type ResponseOf<R extends RouteDefinition> = Static<R['response']>;

const CONFIRMATION_NOTE =
  'In a session, requires a recently confirmed password (`PUT /api/v0/session/confirmation`).';

/** The description, with the sentence about the confirmation if the route needs one. */
export const describeRoute = ({ description, requiresConfirmation }: RouteDefinition): string =>
  [description, requiresConfirmation && CONFIRMATION_NOTE].filter(Boolean).join(' ');

/** All error statuses of a route. */
export function getErrorStatuses(route: RouteDefinition): readonly number[] {
  return [
    ...(route.query || route.body || findPathVariables(route.path).length > 0 ? [400] : []),
    ...(route.roles === 'anyone' ? [] : [401, 403, 429]),
    ...(route.errorStatuses ?? []),
    ...(route.supportsIfMatch ? [412] : []),
    // DELETE can have a body too; it must be JSON within the size limit.
    ...(route.method === 'GET' ? [] : [400, 413, 415]),
    503,
  ];
}
