import type { ExpectedRevision } from '../app/expected-revision.ts';
import type { Routes } from '../contract/index.ts';
import type { AnswerOf, BodyOf, ParamName, QueryOf, Route } from '../contract/route.ts';
import type { Actor } from '../domain/accounts/account.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { AppError } from '../domain/errors.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { LiveBody } from './answers/live-body.ts';
import type { ReadyJson } from './answers/ready-json.ts';

/** What a path's variables are, once parsed. */
export interface Params {
  readonly name: RecordName;
  readonly address: Address;
  /** Of an operation. */
  readonly id: string;
}

/** A request that has passed every check of its row. */
export interface Call<R extends Route> {
  readonly params: Pick<Params, ParamName<R> & keyof Params>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly actor: R['roles'] extends 'anyone' ? undefined : Actor;
  /** What `If-Match` says. */
  readonly expected: ExpectedRevision | undefined;
  /** What `Idempotency-Key` says; null where the row takes none, or none was sent. */
  readonly idempotencyKey: string | null;
  /** What `Last-Event-ID` says; null where the row takes none, or none was sent. */
  readonly lastEventId: number | null;
  /** The position of the log when the request came in. */
  readonly position: number;
  /** Whether the caller speaks TLS, with us or with a proxy that we trust. */
  readonly isSecure: boolean;
  /** The header `Accept`. */
  readonly accept: string | undefined;
  /** Path and query as they were sent. */
  readonly url: string;
}

export interface Answer<Body> {
  readonly body: Body | ReadyJson | LiveBody;
  /** Whether something was made. */
  readonly isNew?: boolean;
  /** Nothing was made and nothing found: it is 200, also for clients of Commissaire. */
  readonly isOnlyTold?: true;
  /** Where a row has several. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler<R extends Route> = (call: Call<R>) => Promise<Answer<AnswerOf<R>> | AppError>;

/** One handler per row: a row without one does not compile. */
export type Handlers = { readonly [Name in keyof Routes]: Handler<Routes[Name]> };
export type HandlersOf<Rows extends Record<string, Route>> = {
  readonly [Name in keyof Rows]: Handler<Rows[Name]>;
};
