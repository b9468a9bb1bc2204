// The route definition: it types the server, the client, the OpenAPI document and the table of roles.
// `app/` contains the behaviour of a route, `http/` its handler.

import type { Static, TObject, TRecord, TSchema } from 'typebox';
import type { Role } from '../domain/vocabulary.ts';
import { variablesIn } from './path-variables.ts';

/** Size class of a body; `http/checks/body-limits.ts` defines the limits. */
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

export interface Route {
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
  readonly alsoSelf?: true;
  /** The request needs a password; a session is not enough. */
  readonly needsPassword?: true;
  /** A session needs a confirmation of the password. Requests with the password itself do not. */
  readonly needsConfirmation?: true;
  /** The dashboard can send user name and password here instead of the session. */
  readonly takesPassword?: true;
  /** Works while the store is unavailable: the server then accepts accounts that authenticated shortly before. */
  readonly outlivesStore?: true;
  /** No traces: programs call it every few seconds. */
  readonly isUntraced?: true;
  readonly query?: TObject;
  /** A record is an object whose keys the client chooses; none of them repeats the path. */
  readonly body?: TObject | TRecord;
  /** Default: `small`. */
  readonly bodySize?: BodySize;
  /** Success statuses: 201 if the request created something, otherwise 200. */
  readonly statuses: readonly (200 | 201)[];
  readonly answer: TSchema;
  /** Default: JSON. */
  readonly mediaType?: string;
  /** Alternative media type, for clients that accept it. */
  readonly alsoAs?: string;
  /** The route supports `Idempotency-Key`. */
  readonly hasIdempotencyKey?: true;
  /** The route supports `Last-Event-ID`. */
  readonly hasLastEventId?: true;
  /** The response is a stream that lasts as long as the client reads it. */
  readonly isStream?: true;
  /** The route supports `If-Match`. */
  readonly isConditional?: true;
  /** Error statuses that are specific to this route; `refusalsOf` adds those that follow from the other fields. */
  readonly refusals?: readonly (404 | 409)[];
}

/** Keeps the exact types of a route definition. */
export const route = <const R extends Route>(row: R): R => row;

export const READERS = ['admin', 'operator', 'viewer'] as const satisfies readonly Role[];
export const WRITERS = ['admin', 'operator'] as const satisfies readonly Role[];
export const ENROLLERS = ['admin', 'operator', 'enrol'] as const satisfies readonly Role[];
export const ADMINS = ['admin'] as const satisfies readonly Role[];

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The names of the variables in the path of a route. */
export type ParamName<R extends Route> = ParamNames<R['path']>;
export type QueryOf<R extends Route> = R extends { query: infer S extends TObject } ? Static<S> : undefined;
export type BodyOf<R extends Route> = R extends { body: infer S extends TObject | TRecord }
  ? Static<S>
  : undefined;
export type AnswerOf<R extends Route> = Static<R['answer']>;

const CONFIRMATION_SENTENCE =
  'In a session, requires a recently confirmed password (`PUT /api/v0/session/confirmation`).';

/** The description, with the sentence about the confirmation if the route needs one. */
export const routeDescription = ({ description, needsConfirmation }: Route): string =>
  [description, needsConfirmation && CONFIRMATION_SENTENCE].filter(Boolean).join(' ');

/** All error statuses of a route. */
export function refusalsOf(row: Route): readonly number[] {
  return [
    ...(row.query || row.body || variablesIn(row.path).length > 0 ? [400] : []),
    ...(row.roles === 'anyone' ? [] : [401, 403, 429]),
    ...(row.refusals ?? []),
    ...(row.isConditional ? [412] : []),
    // DELETE can have a body too; it must be JSON within the size limit.
    ...(row.method === 'GET' ? [] : [400, 413, 415]),
    503,
  ];
}
