// What a route is: one row that types the server, the client, the OpenAPI document and the table of roles.
// Not here: what a route does (`app/`), or how it is served (`http/`).

import type { Static, TObject, TRecord, TSchema } from 'typebox';
import type { Role } from '../domain/vocabulary.ts';
import type { Deprecation } from './deprecation.ts';
import { variablesIn } from './path-variables.ts';

/** How large a body may be; `http/checks/body-limits.ts` has the limits. */
export type BodySize =
  /** A few fields. */
  | 'small'
  /** Fields with long texts, such as certificates. */
  | 'document'
  /** Lists of addresses. */
  | 'addresses'
  /** A list of hosts with their keys. */
  | 'hosts';

export interface Route {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** As in the specification, with `{name}`, `{address}` and `{id}` for what varies. A trailing slash makes no difference. */
  readonly path: `/${string}`;
  /** Other paths that mean the same. */
  readonly aliases?: readonly `/${string}`[];
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Who may call it; `anyone` needs no credentials. */
  readonly roles: readonly Role[] | 'anyone';
  /** The account that the path names may call it as well, whatever its role. */
  readonly alsoSelf?: true;
  /** A session does not do. */
  readonly needsPassword?: true;
  /** A session needs a confirmation of the password; requests with the password itself need none. */
  readonly needsConfirmation?: true;
  /** The dashboard can send user name and password here instead of the session. */
  readonly takesPassword?: true;
  /** It has something to tell while the store is away: whoever was let in shortly before is let in then, too. */
  readonly outlivesStore?: true;
  /** It is asked every few seconds by a program, and a trace of it would say nothing of what people do. */
  readonly isUntraced?: true;
  readonly query?: TObject;
  /** A record is an object whose keys the caller chooses; none of them repeats the path. */
  readonly body?: TObject | TRecord;
  /** Default: `small`. */
  readonly bodySize?: BodySize;
  /** What a success answers: 201 when something was made, 200 otherwise. */
  readonly statuses: readonly (200 | 201)[];
  readonly answer: TSchema;
  /** Anything but JSON. */
  readonly mediaType?: string;
  /** The same in another form, for those who accept it. */
  readonly alsoAs?: string;
  /** Whether it takes `Idempotency-Key`. */
  readonly hasIdempotencyKey?: true;
  /** Whether it takes `Last-Event-ID`. */
  readonly hasLastEventId?: true;
  /** The answer goes on for as long as somebody reads it. */
  readonly isStream?: true;
  /** Whether it takes `If-Match`. */
  readonly isConditional?: true;
  /** The statuses of refusals that are this route's own; `refusalsOf` adds those that follow from the rest of the row. */
  readonly refusals?: readonly (404 | 409)[];
  /** What of it nobody should use any more. */
  readonly deprecations?: readonly Deprecation[];
}

/** Keeps the exact types of a row. */
export const route = <const R extends Route>(row: R): R => row;

export const READERS = ['admin', 'operator', 'viewer'] as const satisfies readonly Role[];
export const WRITERS = ['admin', 'operator'] as const satisfies readonly Role[];
export const ENROLLERS = ['admin', 'operator', 'enrol'] as const satisfies readonly Role[];
export const ADMINS = ['admin'] as const satisfies readonly Role[];

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The names of what varies in a row's path. */
export type ParamName<R extends Route> = ParamNames<R['path']>;
export type QueryOf<R extends Route> = R extends { query: infer S extends TObject } ? Static<S> : undefined;
export type BodyOf<R extends Route> = R extends { body: infer S extends TObject | TRecord }
  ? Static<S>
  : undefined;
export type AnswerOf<R extends Route> = Static<R['answer']>;

const CONFIRMATION_SENTENCE =
  'A session needs a confirmation of the password within the last five minutes: `PUT /api/v0/session/confirmation`.';

/** The description, with the sentence about confirmation. */
export const routeDescription = ({ description, needsConfirmation }: Route): string =>
  [description, needsConfirmation && CONFIRMATION_SENTENCE].filter(Boolean).join(' ');

/** Every status that a row may refuse with. */
export function refusalsOf(row: Route): readonly number[] {
  return [
    ...(row.query || row.body || variablesIn(row.path).length > 0 ? [400] : []),
    ...(row.roles === 'anyone' ? [] : [401, 403, 429]),
    ...(row.refusals ?? []),
    ...(row.isConditional ? [412] : []),
    // DELETE may have a body too; it must be JSON of a size.
    ...(row.method === 'GET' ? [] : [400, 413, 415]),
    503,
  ];
}
