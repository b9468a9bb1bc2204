// Valid and invalid requests with their expected status.

import type { RouteName } from '../../../src/contract/index.ts';
import { routes } from '../../../src/contract/index.ts';
import { ADMIN_PASSWORD, basic } from '../credentials.ts';

export interface ScenarioRequest {
  readonly bytes: string;
  /** `undefined`: the client disconnects before the response. */
  readonly status: number | undefined;
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
  /** Value of X-Forwarded-For. */
  readonly from?: string;
}

export const ADMIN = `admin:${ADMIN_PASSWORD}`;
/** The request scenarios send X-Forwarded-For, and exceed the limit of failed logins. */
export const SCENARIO_SETTINGS = { HOSTLER_TRUST_PROXY: '127.0.0.1', HOSTLER_LIMIT_FAILED_LOGINS: '2' };

export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly headers?: string;
  readonly body?: string;
  readonly as?: string | undefined;
  readonly from?: string | undefined;
}

export function formatRequest({ method, target, headers = '', body = '', as, from }: RequestParts): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    ...(as === undefined ? [] : [`Authorization: ${basic(as)}`]),
    ...(from === undefined ? [] : [`X-Forwarded-For: ${from}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n${headers}\r\n${body}`;
}

export function call(route: RouteName, status: number, options: CallOptions = {}): ScenarioRequest {
  const { method, path } = routes[route];
  const { name = '', address = '', id = '', query = '', body, as = ADMIN, from, headers = '' } = options;
  const bytes = formatRequest({
    method,
    target: path.replace('{name}', name).replace('{address}', address).replace('{id}', id) + query,
    body: body === undefined ? '' : JSON.stringify(body),
    headers,
    as,
    from,
  });
  return { bytes, status, route };
}

export const rawRequest = (status: number, parts: RequestParts): ScenarioRequest => ({
  bytes: formatRequest(parts),
  status,
});

export const abortedRequest = (bytes: string): ScenarioRequest => ({ bytes, status: undefined });
