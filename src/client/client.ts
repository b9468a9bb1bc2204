// The typed client: one method per row of the contract, made from the row. It knows nothing of any single route. It runs in browsers, too:
// there is nothing of Node in it.

import type { RouteName, Routes } from '../contract/index.ts';
import { routes } from '../contract/index.ts';
import { filledIn } from '../contract/path-variables.ts';
import type { Problem } from '../contract/problem.ts';
import type { AnswerOf, BodyOf, ParamName, QueryOf, Route } from '../contract/route.ts';
import { isOurProblem } from './is-our-problem.ts';

/** Who asks: an account, or headers that stand for it; in a browser, a cookie goes along with these by itself. */
export type Caller =
  | { readonly user: string; readonly password: string; readonly headers?: never }
  | {
      readonly headers: Readonly<Record<string, string>>;
      readonly user?: never;
      readonly password?: never;
    };

export type ClientOptions = Caller & {
  /** Such as `http://127.0.0.1:8000`; in a browser, the origin of the page. */
  readonly baseUrl: string;
  /** More servers on the same store; the next is asked when one does not answer. Nothing is done twice by that: all requests may be repeated. */
  readonly otherUrls?: readonly string[];
  /** How requests are sent; left out: by fetch. */
  readonly send?: Send;
  /** Ends all requests. */
  readonly signal?: AbortSignal;
};

export interface Request {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends it. */
  readonly signal?: AbortSignal | null;
}

/** What is asked of an answer; those of fetch have it. */
export interface Answered extends Pick<Response, 'ok' | 'status' | 'statusText' | 'text'> {
  readonly headers: Pick<Headers, 'get'>;
}

export type Send = (url: URL, request: Request) => Promise<Answered>;

type Params<R extends Route> = [ParamName<R>] extends [never]
  ? unknown
  : { readonly [Name in ParamName<R>]: string };
type Query<R extends Route> = R extends { query: object } ? { readonly query?: QueryOf<R> } : unknown;
type Body<R extends Route> = R extends { body: object } ? { readonly body: BodyOf<R> } : unknown;

/** What a call takes: the path's variables, and `query` and `body` where the row has them. */
export type CallInput<R extends Route> = Params<R> &
  Query<R> &
  Body<R> &
  Pick<AnyInput, 'headers' | 'signal' | 'patienceMs'>;

export interface Reply<R extends Route> {
  readonly status: number;
  readonly body: AnswerOf<R>;
  readonly headers: Answered['headers'];
}

/** A refusal of the service, with its problem document. */
export class RequestRefused extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(`${problem.detail} (${problem.code})`);
    this.name = 'RequestRefused';
    this.status = status;
    this.problem = problem;
  }
}

/** No server has answered. */
export class ServiceUnreachable extends Error {
  readonly urls: readonly string[];

  constructor(urls: readonly string[], cause: unknown) {
    super(`cannot reach ${urls.join(' and ')}`, { cause });
    this.name = 'ServiceUnreachable';
    this.urls = urls;
  }
}

type Method<R extends Route> = keyof CallInput<R> extends 'headers' | 'signal' | 'patienceMs' | 'query'
  ? (input?: CallInput<R>) => Promise<Reply<R>>
  : (input: CallInput<R>) => Promise<Reply<R>>;

/** Those that answer once; `follow-events.ts` is for the other. */
type AnsweredOnce = {
  [Name in RouteName]: Routes[Name] extends { isStream: true } ? never : Name;
}[RouteName];

export type Client = { readonly [Name in AnsweredOnce]: Method<Routes[Name]> };

interface AnyInput {
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** A server that has not answered for so long is given up; left out: none is. */
  readonly patienceMs?: number;
}

/** What ends the asking of one server. */
const endOf = ({ signal, patienceMs }: AnyInput, all: AbortSignal | undefined): AbortSignal | undefined => {
  const ends = [
    ...(all ? [all] : []),
    ...(signal ? [signal] : []),
    ...(patienceMs === undefined ? [] : [AbortSignal.timeout(patienceMs)]),
  ];
  return ends.length === 0 ? undefined : AbortSignal.any(ends);
};

function textOf(input: object, name: string): string {
  const text = String(Reflect.get(input, name));
  if (text === '.' || text === '..') throw new RangeError(`"${text}" is not a valid ${name}`);
  return encodeURIComponent(text);
}

function parsedOrNothing(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const notHostler = (status: number, title: string, text: string): Problem => ({
  ...{ type: 'about:blank', title, status, code: 'not_hostler', request_id: '' },
  detail: text.slice(0, 500),
});

/** What answers for the service, such as a proxy, may not speak its language. */
export function problemOf({ status, statusText, headers }: Answered, text: string): Problem {
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
  const told = isProblem ? parsedOrNothing(text) : undefined;
  if (isOurProblem(told)) return told;
  return notHostler(status, statusText, text);
}

export function urlOf(baseUrl: string, row: Route, input: AnyInput): URL {
  const url = new URL(
    filledIn(row.path, name => textOf(input, name)),
    baseUrl,
  );
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value === undefined) continue;
    for (const each of [value].flat()) url.searchParams.append(name, String(each));
  }
  return url;
}

/** Of UTF-8; `btoa` takes each character for a byte. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''));

/** What tells a server who asks. */
export const headersOf = (caller: Caller): Readonly<Record<string, string>> =>
  caller.headers ?? { authorization: `Basic ${base64(`${caller.user}:${caller.password}`)}` };

/** The first whole answer of a server that can give one. */
async function fetchAny(
  urls: readonly string[],
  ask: (baseUrl: string) => Promise<Answered>,
): Promise<{ readonly response: Answered; readonly text: string }> {
  let failure: unknown;
  let answer: { readonly response: Answered; readonly text: string } | undefined;
  for (const url of urls) {
    try {
      const response = await ask(url);
      answer = { response, text: await response.text() };
      if (response.status < 500) return answer;
    } catch (error) {
      failure = error;
    }
  }
  // A server that says it cannot is more than one that says nothing.
  if (answer) return answer;
  throw new ServiceUnreachable(urls, failure);
}

export function createClient(options: ClientOptions): Client {
  const { baseUrl, otherUrls = [], send = fetch, signal } = options;
  const callerHeaders = headersOf(options);

  async function call(row: Route, input: AnyInput = {}): Promise<Reply<Route>> {
    // What cannot be sent is told before anybody is asked.
    const { pathname, search } = urlOf(baseUrl, row, input);
    const request = {
      method: row.method,
      headers: {
        ...callerHeaders,
        ...(row.body && { 'content-type': 'application/json' }),
        ...input.headers,
      },
      ...(row.body && { body: JSON.stringify(input.body ?? {}) }),
    };
    const { response, text } = await fetchAny([baseUrl, ...otherUrls], url =>
      send(new URL(pathname + search, url), { ...request, signal: endOf(input, signal) ?? null }),
    );
    if (!response.ok) throw new RequestRefused(response.status, problemOf(response, text));
    const body = row.mediaType ? text : parsedOrNothing(text);
    if (body === undefined)
      throw new RequestRefused(response.status, notHostler(response.status, response.statusText, text));
    return { status: response.status, body, headers: response.headers };
  }

  const methods = Object.entries<Route>(routes)
    .filter(([, row]) => !row.isStream)
    .map(([name, row]) => [name, (input?: AnyInput) => call(row, input)]);
  return Object.fromEntries(methods) as Client;
}
