// The typed client: one method per route definition of the contract. It also runs in browsers, so it uses no Node API.

import type { RouteName, Routes } from '../contract/index.ts';
import { routes } from '../contract/index.ts';
import { expandPath } from '../contract/path-variables.ts';
import type {
  BodyOf,
  ExtendedResponseOf,
  ParamName,
  QueryOf,
  ResponseOf,
  RouteDefinition,
} from '../contract/route-definition.ts';
import { ApiError, ServiceUnreachableError, toApiError, tryParseJson, unexpectedResponse } from './errors.ts';

/** The account of the caller, or headers that identify it. A browser adds its session cookie to the headers. */
export type Credentials =
  | { readonly user: string; readonly password: string; readonly headers?: never }
  | {
      readonly headers: Readonly<Record<string, string>>;
      readonly user?: never;
      readonly password?: never;
    };

export type ClientOptions = Credentials & {
  /** Such as `http://127.0.0.1:8000`; in a browser, the origin of the page. */
  readonly baseUrl: string;
  /**
   * More servers of the same store, used if one does not respond. They can receive a request that the first server has
   * processed: send an `Idempotency-Key` with requests that start an operation.
   */
  readonly fallbackUrls?: readonly string[];
  readonly transport?: HttpTransport;
  /** When it aborts, all pending requests throw its reason. */
  readonly signal?: AbortSignal | undefined;
};

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | null;
}

/** The part of the fetch Response that the client uses. */
export interface HttpResponse extends Pick<Response, 'ok' | 'status' | 'statusText' | 'text'> {
  readonly headers: Pick<Headers, 'get'>;
}

export type HttpTransport = (url: URL, request: HttpRequest) => Promise<HttpResponse>;

type Params<R extends RouteDefinition> = [ParamName<R>] extends [never]
  ? unknown
  : { readonly [Name in ParamName<R>]: string };
/** An optional field may be `undefined`, which is not sent. */
export type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Sendable<T[Key]> | (object extends Pick<T, Key> ? undefined : never) }
    : T;
type Query<R extends RouteDefinition> = R extends { query: object }
  ? { readonly query?: Sendable<QueryOf<R>> }
  : unknown;
type Body<R extends RouteDefinition> = R extends { body: object } ? { readonly body: Sendable<BodyOf<R>> } : unknown;

export type RouteInput<R extends RouteDefinition> = Params<R> &
  Query<R> &
  Body<R> &
  Pick<RequestInput, 'headers' | 'signal' | 'timeoutMs'>;

export interface ApiResponse<R extends RouteDefinition, Body = ResponseOf<R>> {
  readonly status: number;
  readonly body: Body;
  readonly headers: HttpResponse['headers'];
}

type PlainMethod<R extends RouteDefinition> = keyof RouteInput<R> extends 'headers' | 'signal' | 'timeoutMs' | 'query'
  ? (input?: RouteInput<R>) => Promise<ApiResponse<R>>
  : (input: RouteInput<R>) => Promise<ApiResponse<R>>;

/** With `extended: true`, a list of names is a list of records. */
type ExtendedMethod<R extends RouteDefinition> = (
  input: RouteInput<R> & { readonly query: { readonly extended: true } },
) => Promise<ApiResponse<R, ExtendedResponseOf<R>>>;

type ClientMethod<R extends RouteDefinition> = R extends { extendedResponse: object }
  ? ExtendedMethod<R> & PlainMethod<R>
  : PlainMethod<R>;

/** All routes except event streams, which `event-stream.ts` implements. */
type UnaryRouteName = {
  [Name in RouteName]: Routes[Name] extends { isStream: true } ? never : Name;
}[RouteName];

export type Client = { readonly [Name in UnaryRouteName]: ClientMethod<Routes[Name]> };

interface RequestInput {
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** When it aborts, the request throws its reason. */
  readonly signal?: AbortSignal;
  /** The timeout for each server; without it there is none. */
  readonly timeoutMs?: number;
}

function encodePathParam(input: object, name: string): string {
  const text = String(Reflect.get(input, name));
  if (text === '.' || text === '..') throw new RangeError(`"${text}" is not a valid ${name}`);
  return encodeURIComponent(text);
}

export function buildUrl(baseUrl: string, route: RouteDefinition, input: RequestInput): URL {
  const url = new URL(
    expandPath(route.path, name => encodePathParam(input, name)),
    baseUrl,
  );
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value === undefined) continue;
    for (const item of [value].flat()) url.searchParams.append(name, String(item));
  }
  return url;
}

/** Encodes as UTF-8 first, because `btoa` treats each character as a byte. */
const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''));

export const toAuthHeaders = (credentials: Credentials): Readonly<Record<string, string>> =>
  credentials.headers ?? { authorization: `Basic ${toBase64(`${credentials.user}:${credentials.password}`)}` };

interface FailoverOptions {
  /** Those of the caller. */
  readonly signals: readonly AbortSignal[];
  readonly timeoutMs: number | undefined;
}

/**
 * Returns the first complete response with a status below 500. After an abort by the caller it tries no other server,
 * after a timeout it does.
 */
async function requestWithFailover(
  urls: readonly string[],
  { signals, timeoutMs }: FailoverOptions,
  sendTo: (baseUrl: string, signal: AbortSignal | null) => Promise<HttpResponse>,
) {
  const throwIfAborted = () => {
    for (const signal of signals) signal.throwIfAborted();
  };
  let lastError: unknown;
  let lastResponse: { readonly response: HttpResponse; readonly text: string } | undefined;
  for (const url of urls) {
    throwIfAborted();
    const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const all = [...signals, timeout].filter(item => item !== undefined);
    try {
      const response = await sendTo(url, all.length === 0 ? null : AbortSignal.any(all));
      lastResponse = { response, text: await response.text() };
      if (response.status < 500) return lastResponse;
    } catch (error) {
      throwIfAborted();
      const hasTimedOut = timeoutMs !== undefined && timeout?.aborted;
      lastError = hasTimedOut ? new Error(`no response within ${timeoutMs / 1000} s`) : error;
    }
  }
  // An error response is more informative than a connection error.
  if (lastResponse) return lastResponse;
  throw new ServiceUnreachableError(urls, lastError);
}

/** A request to a path that need not be in the contract. */
export interface PathRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface TextResponse {
  readonly response: HttpResponse;
  readonly text: string;
}

/** A path such as `//example.com` would send the credentials to another server. */
function resolvePath(path: string, baseUrl: string): URL {
  const url = new URL(path, baseUrl);
  if (url.origin !== new URL(baseUrl).origin) throw new RangeError(`"${path}" is not a path on the server`);
  return url;
}

/** Sends requests that the methods of the client do not cover. Throws `ApiError` for an error response. */
export function createRequestSender(options: ClientOptions) {
  const { baseUrl, fallbackUrls = [], transport = fetch, signal } = options;
  const authHeaders = toAuthHeaders(options);
  return async (
    { method, path, headers, body }: PathRequest,
    limits: Pick<RequestInput, 'signal' | 'timeoutMs'> = {},
  ): Promise<TextResponse> => {
    const { pathname, search } = resolvePath(path, baseUrl);
    const request = {
      method,
      headers: { ...authHeaders, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body }),
    };
    const result = await requestWithFailover(
      [baseUrl, ...fallbackUrls],
      { signals: [signal, limits.signal].filter(item => item !== undefined), timeoutMs: limits.timeoutMs },
      (url, attemptSignal) => transport(new URL(pathname + search, url), { ...request, signal: attemptSignal }),
    );
    if (!result.response.ok) throw toApiError(result.response, result.text);
    return result;
  };
}

export function createClient(options: ClientOptions): Client {
  const send = createRequestSender(options);

  async function call(route: RouteDefinition, input: RequestInput = {}): Promise<ApiResponse<RouteDefinition>> {
    // Validates the input before any request.
    const { pathname, search } = buildUrl(options.baseUrl, route, input);
    const { response, text } = await send(
      {
        method: route.method,
        path: pathname + search,
        headers: input.headers ?? {},
        body: route.body && JSON.stringify(input.body ?? {}),
      },
      input,
    );
    const body = route.mediaType ? text : tryParseJson(text);
    if (body === undefined) throw new ApiError(response.status, unexpectedResponse(response, text));
    return { status: response.status, body, headers: response.headers };
  }

  const methods = Object.entries<RouteDefinition>(routes)
    .filter(([, route]) => !route.isStream)
    .map(([name, route]) => [name, (input?: RequestInput) => call(route, input)]);
  return Object.fromEntries(methods) as Client;
}

/** Leaves capacity of the server for other requests. */
export const MAX_CONCURRENT_REQUESTS = 8;
