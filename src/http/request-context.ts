import type { Static, TSchema } from 'typebox';
import type { ExpectedRevision } from '../app/unit-of-work.ts';
import type { Routes } from '../contract/index.ts';
import type { BodyOf, ParamName, QueryOf, ResponseOf, RouteDefinition } from '../contract/route-definition.ts';
import type { Actor } from '../domain/accounts/account.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { AppError } from '../domain/errors.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { StreamingBody } from './responses/event-stream.ts';
import type { SerializedJson } from './responses/serialized-json.ts';

export interface PathParams {
  readonly name: RecordName;
  readonly address: Address;
  readonly id: string;
}

/** A validated request for one route definition. */
export interface RequestContext<R extends RouteDefinition> {
  readonly params: Pick<PathParams, ParamName<R> & keyof PathParams>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly actor: R['roles'] extends 'anyone' ? undefined : Actor;
  readonly ifMatch: ExpectedRevision | undefined;
  /** `Idempotency-Key` header; null if it is missing or the route does not support it. */
  readonly idempotencyKey: string | null;
  /** `Last-Event-ID` header; null if it is missing or the route does not support it. */
  readonly lastEventId: number | null;
  readonly eventPosition: number;
  readonly isTls: boolean;
  readonly accept: string | undefined;
  /** Path and query as the client sent them. */
  readonly url: string;
}

export interface HandlerResult<Body> {
  readonly body: Body;
  /** 201 if the request created a record. Default: 200, or the status of a repeated PUT. */
  readonly status?: 200 | 201 | undefined;
  /** Overrides the media type of the route. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A response before it is serialized: nothing changes it, and JSON omits undefined fields. */
type Serializable<T> = T extends readonly (infer Item)[]
  ? readonly Serializable<Item>[]
  : T extends object
    ? {
        readonly [Key in keyof T]: T extends Record<Key, T[Key]>
          ? Serializable<T[Key]>
          : Serializable<T[Key]> | undefined;
      }
    : T;

/** What a view returns for a schema of the contract. */
export type View<Schema extends TSchema> = Serializable<Static<Schema>>;

export type Handler<R extends RouteDefinition> = (
  context: RequestContext<R>,
) => Promise<HandlerResult<Serializable<ResponseOf<R>> | SerializedJson | StreamingBody> | AppError>;

/** A route definition without a handler is a compile error. */
export type Handlers = { readonly [Name in keyof Routes]: Handler<Routes[Name]> };
export type HandlersFor<RouteTable extends Record<string, RouteDefinition>> = {
  readonly [Name in keyof RouteTable]: Handler<RouteTable[Name]>;
};
