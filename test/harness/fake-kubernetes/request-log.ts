import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../src/lib/time/clock.ts';
import type { Json } from './objects.ts';

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** Parsed if it is JSON. */
  readonly body: Json | undefined;
  readonly atMs: number;
  /** Empty if the user was not authenticated. */
  user: string;
  /** 0 without a response. */
  status: number;
}

/** All given fields must match. */
export type Match =
  | {
      readonly method?: string;
      readonly path?: string | RegExp;
      readonly query?: Readonly<Record<string, string>>;
    }
  | ((request: LoggedRequest) => boolean);

export function isMatch(match: Match, request: LoggedRequest): boolean {
  if (typeof match === 'function') return match(request);
  const { method = request.method, path = request.path, query = {} } = match;
  const isPath = typeof path === 'string' ? path === request.path : path.test(request.path);
  const isQuery = Object.entries(query).every(([key, value]) => request.query[key] === value);
  return method === request.method && isPath && isQuery;
}

function parseBody(text: string): Json | undefined {
  if (text === '') return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** The log does not contain the token. */
export async function readRequest(request: IncomingMessage, clock: Clock): Promise<LoggedRequest> {
  const atMs = clock.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://127.0.0.1');
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    contentType: (request.headers['content-type'] ?? '').replace(/;.*$/, '').trim(),
    body: parseBody(Buffer.concat(chunks).toString()),
    atMs,
    user: '',
    status: 0,
  };
}
