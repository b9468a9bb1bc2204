import type { Static, TObject, TRecord, TSchema } from 'typebox';
import type { Role } from '../domain/vocabulary.ts';
import { findPathVariables } from './path-variables.ts';

/** `document`: long texts, such as certificates. `hosts`: with their keys. `http/requests/json-body.ts` has the limits. */
export type BodySize = 'small' | 'document' | 'addresses' | 'hosts';

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
  /** Variables are `{name}`, `{address}` and `{id}`. A trailing slash makes no difference. */
  readonly path: `/${string}`;
  readonly aliases?: readonly `/${string}`[];
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** `anyone` needs no credentials. */
  readonly roles: readonly Role[] | 'anyone';
  /** The account that the path names is allowed with any role. */
  readonly allowsOwnAccount?: true;
  /** A session is not enough. */
  readonly requiresPassword?: true;
  /** In a session, the password must be confirmed recently. */
  readonly requiresConfirmation?: true;
  /** The dashboard can send a user name and password instead of the session. */
  readonly acceptsPassword?: true;
  /** During a store outage, the server accepts accounts that authenticated shortly before. */
  readonly worksDuringStoreOutage?: true;
  /** Monitoring programs call the route every few seconds. */
  readonly skipsTracing?: true;
  readonly query?: TObject;
  /** The client chooses the keys of a record, which never repeat a path parameter. */
  readonly body?: TObject | TRecord;
  /** Default: `small`. */
  readonly bodySize?: BodySize;
  /** 201 if the request created something. Default: only 200. */
  readonly statuses?: readonly (200 | 201)[];
  readonly response: TSchema;
  /** The response if the query has `extended=true`. */
  readonly extendedResponse?: TSchema;
  /** Default: JSON. */
  readonly mediaType?: string;
  /** Used if the client prefers it. */
  readonly alternateMediaType?: string;
  readonly supportsIdempotencyKey?: true;
  readonly supportsLastEventId?: true;
  /** The response lasts as long as the client reads it. */
  readonly isStream?: true;
  readonly supportsIfMatch?: true;
  /** `getErrorStatuses` adds those that follow from the other fields. */
  readonly errorStatuses?: readonly (404 | 409)[];
}

/** Keeps the literal types. */
export const defineRoute = <const R extends RouteDefinition>(route: R): R => route;

export const READERS = ['admin', 'operator', 'viewer'] as const satisfies readonly Role[];
export const WRITERS = ['admin', 'operator'] as const satisfies readonly Role[];
export const ENROLLERS = ['admin', 'operator', 'enrol'] as const satisfies readonly Role[];
export const ADMINS = ['admin'] as const satisfies readonly Role[];

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

export type ParamName<R extends RouteDefinition> = ParamNames<R['path']>;
export type QueryOf<R extends RouteDefinition> = R extends { query: infer S extends TObject } ? Static<S> : undefined;
export type BodyOf<R extends RouteDefinition> = R extends { body: infer S extends TObject | TRecord }
  ? Static<S>
  : undefined;
export type ResponseOf<R extends RouteDefinition> = Static<R['response']>;
export type ExtendedResponseOf<R extends RouteDefinition> = R extends { extendedResponse: infer S extends TSchema }
  ? Static<S>
  : never;

const CONFIRMATION_NOTE = 'In a session, requires a recently confirmed password (`PUT /api/v0/session/confirmation`).';

export const describeRoute = ({ description, requiresConfirmation }: RouteDefinition): string =>
  [description, requiresConfirmation && CONFIRMATION_NOTE].filter(Boolean).join(' ');

export const getSuccessStatuses = ({ statuses = [200] }: RouteDefinition): readonly (200 | 201)[] => statuses;

/** Health checks and documents accept any query, because probes and browsers add some. */
export const rejectsUnknownParameters = ({ path }: RouteDefinition): boolean => path.startsWith('/api/');

export function getErrorStatuses(route: RouteDefinition): readonly number[] {
  const hasVariables = findPathVariables(route.path).length > 0;
  return [
    // Also for routes without input: the request can be malformed.
    400,
    ...(route.roles === 'anyone' ? [] : [401, 403, 429]),
    ...(route.method === 'GET' && hasVariables ? [404] : []),
    ...(route.errorStatuses ?? []),
    ...(route.supportsIfMatch ? [412] : []),
    // A DELETE request can also have a body, with the same checks.
    ...(route.method === 'GET' ? [] : [400, 413, 415]),
    503,
  ];
}
