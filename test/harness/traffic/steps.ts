// Requests of the everyday and of the other kind, each with the status that it must get.

import type { RouteName } from '../../../src/contract/index.ts';
import { routes } from '../../../src/contract/index.ts';
import { basic } from '../http/basic.ts';

export interface Step {
  readonly bytes: string;
  /** `undefined`: the caller leaves before there is an answer. */
  readonly status: number | undefined;
  /** The route, where the request gets to one. */
  readonly route?: RouteName;
}

export interface CallOptions {
  readonly name?: string;
  readonly address?: string;
  readonly id?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: string;
  /** `user:password`. */
  readonly as?: string;
  /** Where it comes from, as a proxy says. */
  readonly from?: string;
}

const PASSWORD = 'given';
export const ADMIN = `admin:${PASSWORD}`;
/** Of a server that they are sent to. */
export const ADMIN_SETTINGS = { HOSTLER_ADMIN_PASSWORD: PASSWORD };

export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly headers?: string;
  readonly body?: string;
  readonly as?: string | undefined;
  readonly from?: string | undefined;
}

export function requestOf({ method, target, headers = '', body = '', as, from }: RequestParts): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    ...(as === undefined ? [] : [`Authorization: ${basic(as)}`]),
    ...(from === undefined ? [] : [`X-Forwarded-For: ${from}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n${headers}\r\n${body}`;
}

/** A call of a route of the contract. */
export function call(route: RouteName, status: number, options: CallOptions = {}): Step {
  const { method, path } = routes[route];
  const { name = '', address = '', id = '', query = '', body, as = ADMIN, from, headers = '' } = options;
  const bytes = requestOf({
    method,
    target: path.replace('{name}', name).replace('{address}', address).replace('{id}', id) + query,
    body: body === undefined ? '' : JSON.stringify(body),
    headers,
    as,
    from,
  });
  return { bytes, status, route };
}

/** Anything else that is sent. */
export const say = (status: number, parts: RequestParts): Step => ({ bytes: requestOf(parts), status });

/** A request whose sender does not wait for the answer. */
export const leave = (bytes: string): Step => ({ bytes, status: undefined });
