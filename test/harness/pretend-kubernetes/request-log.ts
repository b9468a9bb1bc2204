import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../src/lib/time/clock.ts';
import type { Json } from './objects.ts';

/** A request that came in, oldest first in the log. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** Parsed where it is JSON. */
  readonly body: Json | undefined;
  readonly atMs: number;
  /** '' when the caller was not identified. */
  user: string;
  /** 0 until it is answered, or when it never is. */
  status: number;
}

/** Which requests are meant: all that is given must fit. */
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

function parsed(text: string): Json | undefined {
  if (text === '') return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** Reads it whole. The token stays out of what is logged. */
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
    body: parsed(Buffer.concat(chunks).toString()),
    atMs,
    user: '',
    status: 0,
  };
}
