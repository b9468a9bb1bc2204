import type { ExpectedRevision } from '../app/unit-of-work.ts';
import type { Routes } from '../contract/index.ts';
import type {
  BodyOf,
  ParamName,
  QueryOf,
  ResponseOf,
  RouteDefinition,
} from '../contract/route-definition.ts';
import type { Actor } from '../domain/accounts/account.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { AppError } from '../domain/errors.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { StreamingBody } from './responses/event-stream.ts';
import type { SerializedJson } from './responses/serialized-json.ts';

/** What a path's variables are, once parsed. */
export interface PathParams {
  readonly name: RecordName;
  readonly address: Address;
  /** Of an operation. */
  readonly id: string;
}

/** A request that has passed every check of its row. */
export interface RequestContext<R extends RouteDefinition> {
  readonly params: Pick<PathParams, ParamName<R> & keyof PathParams>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly actor: R['roles'] extends 'anyone' ? undefined : Actor;
  /** What `If-Match` says. */
  readonly ifMatch: ExpectedRevision | undefined;
  /** What `Idempotency-Key` says; null where the row takes none, or none was sent. */
  readonly idempotencyKey: string | null;
  /** What `Last-Event-ID` says; null where the row takes none, or none was sent. */
  readonly lastEventId: number | null;
  /** The position of the log when the request came in. */
  readonly eventPosition: number;
  /** Whether the caller speaks TLS, with us or with a proxy that we trust. */
  readonly isTls: boolean;
  /** The header `Accept`. */
  readonly accept: string | undefined;
  /** Path and query as they were sent. */
  readonly url: string;
}

export interface HandlerResult<Body> {
  readonly body: Body | SerializedJson | StreamingBody;
  /** Whether something was made. */
  readonly isNew?: boolean;
  /** Nothing was made and nothing found: it is 200, also for clients of Commissaire. */
  readonly isDryRun?: true;
  /** Where a row has several. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler<R extends RouteDefinition> = (
  context: RequestContext<R>,
) => Promise<HandlerResult<ResponseOf<R>> | AppError>;

/** One handler per row: a row without one does not compile. */
export type Handlers = { readonly [Name in keyof Routes]: Handler<Routes[Name]> };
export type HandlersFor<RouteTable extends Record<string, RouteDefinition>> = {
  readonly [Name in keyof RouteTable]: Handler<RouteTable[Name]>;
};
