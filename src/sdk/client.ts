import type { Problem } from '../contract/fields.ts';
import type { RouteName, Routes } from '../contract/index.ts';
import { routes } from '../contract/index.ts';
import { expandPath } from '../contract/path-variables.ts';
import type {
  BodyOf,
  ParamName,
  QueryOf,
  ResponseOf,
  RouteDefinition,
} from '../contract/route-definition.ts';

const getField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const hasStrings = (value: unknown, ...names: readonly (keyof Problem | 'path' | 'message')[]) =>
  names.every(name => typeof getField(value, name) === 'string');

/** Whether a problem document is one of the service: other programs have some, too, with other fields in them. */
export function isProblemDocument(value: unknown): value is Problem {
  const errors = getField(value, 'errors');
  if (!hasStrings(value, 'detail', 'code', 'request_id')) return false;
  return (
    errors === undefined ||
    (Array.isArray(errors) && errors.every(item => hasStrings(item, 'path', 'message')))
  );
}

// The typed client: one method per row of the contract, made from the row. It knows nothing of any single route. It runs in browsers, too:
// there is nothing of Node in it.

/** Who asks: an account, or headers that stand for it; in a browser, a cookie goes along with these by itself. */
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
  /** More servers on the same store; the next is asked when one does not answer. Nothing is done twice by that: all requests may be repeated. */
  readonly fallbackUrls?: readonly string[];
  /** How requests are sent; left out: by fetch. */
  readonly transport?: HttpTransport;
  /** Ends all requests. */
  readonly signal?: AbortSignal;
};

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends it. */
  readonly signal?: AbortSignal | null;
}

/** What is asked of an answer; those of fetch have it. */
export interface HttpResponse extends Pick<Response, 'ok' | 'status' | 'statusText' | 'text'> {
  readonly headers: Pick<Headers, 'get'>;
}

export type HttpTransport = (url: URL, request: HttpRequest) => Promise<HttpResponse>;

type Params<R extends RouteDefinition> = [ParamName<R>] extends [never]
  ? unknown
  : { readonly [Name in ParamName<R>]: string };
type Query<R extends RouteDefinition> = R extends { query: object }
  ? { readonly query?: QueryOf<R> }
  : unknown;
type Body<R extends RouteDefinition> = R extends { body: object } ? { readonly body: BodyOf<R> } : unknown;

/** What a call takes: the path's variables, and `query` and `body` where the row has them. */
export type RouteInput<R extends RouteDefinition> = Params<R> &
  Query<R> &
  Body<R> &
  Pick<RequestInput, 'headers' | 'signal' | 'timeoutMs'>;

export interface ApiResponse<R extends RouteDefinition> {
  readonly status: number;
  readonly body: ResponseOf<R>;
  readonly headers: HttpResponse['headers'];
}

/** A refusal of the service, with its problem document. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(`${problem.detail} (${problem.code})`);
    this.name = 'ApiError';
    this.status = status;
    this.problem = problem;
  }
}

/** No server has answered. */
export class ServiceUnreachableError extends Error {
  readonly urls: readonly string[];

  constructor(urls: readonly string[], cause: unknown) {
    super(`cannot reach ${urls.join(' and ')}`, { cause });
    this.name = 'ServiceUnreachableError';
    this.urls = urls;
  }
}

type ClientMethod<R extends RouteDefinition> = keyof RouteInput<R> extends
  | 'headers'
  | 'signal'
  | 'timeoutMs'
  | 'query'
  ? (input?: RouteInput<R>) => Promise<ApiResponse<R>>
  : (input: RouteInput<R>) => Promise<ApiResponse<R>>;

/** Those that answer once; `follow-events.ts` is for the other. */
type UnaryRouteName = {
  [Name in RouteName]: Routes[Name] extends { isStream: true } ? never : Name;
}[RouteName];

export type Client = { readonly [Name in UnaryRouteName]: ClientMethod<Routes[Name]> };

interface RequestInput {
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** A server that has not answered for so long is given up; left out: none is. */
  readonly timeoutMs?: number;
}

/** What ends the asking of one server. */
const combineSignals = (
  { signal, timeoutMs }: RequestInput,
  clientSignal: AbortSignal | undefined,
): AbortSignal | undefined => {
  const signals = [
    ...(clientSignal ? [clientSignal] : []),
    ...(signal ? [signal] : []),
    ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
  ];
  return signals.length === 0 ? undefined : AbortSignal.any(signals);
};

function encodePathParam(input: object, name: string): string {
  const text = String(Reflect.get(input, name));
  if (text === '.' || text === '..') throw new RangeError(`"${text}" is not a valid ${name}`);
  return encodeURIComponent(text);
}

function tryParseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unexpectedResponse = (status: number, title: string, text: string): Problem => ({
  ...{ type: 'about:blank', title, status, code: 'unexpected_response', request_id: '' },
  detail: text.slice(0, 500),
});

/** What answers for the service, such as a proxy, may not speak its language. */
export function toProblem({ status, statusText, headers }: HttpResponse, text: string): Problem {
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
  const document = isProblem ? tryParseJson(text) : undefined;
  if (isProblemDocument(document)) return document;
  return unexpectedResponse(status, statusText, text);
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

/** Of UTF-8; `btoa` takes each character for a byte. */
const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''));

/** What tells a server who asks. */
export const toAuthHeaders = (credentials: Credentials): Readonly<Record<string, string>> =>
  credentials.headers ?? {
    authorization: `Basic ${toBase64(`${credentials.user}:${credentials.password}`)}`,
  };

/** The first whole answer of a server that can give one. */
async function requestWithFailover(
  urls: readonly string[],
  sendTo: (baseUrl: string) => Promise<HttpResponse>,
): Promise<{ readonly response: HttpResponse; readonly text: string }> {
  let lastError: unknown;
  let lastResponse: { readonly response: HttpResponse; readonly text: string } | undefined;
  for (const url of urls) {
    try {
      const response = await sendTo(url);
      lastResponse = { response, text: await response.text() };
      if (response.status < 500) return lastResponse;
    } catch (error) {
      lastError = error;
    }
  }
  // A server that says it cannot is more than one that says nothing.
  if (lastResponse) return lastResponse;
  throw new ServiceUnreachableError(urls, lastError);
}

export function createClient(options: ClientOptions): Client {
  const { baseUrl, fallbackUrls = [], transport = fetch, signal } = options;
  const authHeaders = toAuthHeaders(options);

  async function call(
    route: RouteDefinition,
    input: RequestInput = {},
  ): Promise<ApiResponse<RouteDefinition>> {
    // What cannot be sent is told before anybody is asked.
    const { pathname, search } = buildUrl(baseUrl, route, input);
    const request = {
      method: route.method,
      headers: {
        ...authHeaders,
        ...(route.body && { 'content-type': 'application/json' }),
        ...input.headers,
      },
      ...(route.body && { body: JSON.stringify(input.body ?? {}) }),
    };
    const { response, text } = await requestWithFailover([baseUrl, ...fallbackUrls], url =>
      transport(new URL(pathname + search, url), {
        ...request,
        signal: combineSignals(input, signal) ?? null,
      }),
    );
    if (!response.ok) throw new ApiError(response.status, toProblem(response, text));
    const body = route.mediaType ? text : tryParseJson(text);
    if (body === undefined)
      throw new ApiError(response.status, unexpectedResponse(response.status, response.statusText, text));
    return { status: response.status, body, headers: response.headers };
  }

  const methods = Object.entries<RouteDefinition>(routes)
    .filter(([, route]) => !route.isStream)
    .map(([name, route]) => [name, (input?: RequestInput) => call(route, input)]);
  return Object.fromEntries(methods) as Client;
}

/** What another try may mend: nobody answers, or only to say that it cannot just now. Whoever is only busy refuses nobody. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof ServiceUnreachableError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429));

/** Whether what is asked for many hosts goes on with the others. What concerns whoever asks, or the service, is the same for all. */
export const isSingleHostError = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 404, 409].includes(error.status);

/** As many as a service answers beside its other work. */
export const MAX_CONCURRENT_REQUESTS = 8;
