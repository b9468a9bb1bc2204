// The service as the dashboard asks it: the typed client, signed in by a cookie that no script sees. Everything it can do, curl can do.

import type { Static } from 'typebox';
import type { ResponseOf, RouteDefinition } from '#contract/route-definition.ts';
import type { Account as AccountShape } from '#contract/routes/accounts.ts';
import type { ApiResponse, Client, HttpTransport } from '#sdk/client.ts';
import { ApiError, createClient } from '#sdk/client.ts';
import { getEventPosition } from '#sdk/response-headers.ts';
import { sendConfirmed } from './confirmation.ts';
import { serverClock } from './server-clock.ts';

/** No form and no other site can send it, so the cookie counts only where it stands. */
export const DASHBOARD_HEADERS = { headers: { 'hostler-dashboard': '1' } };

const transport: HttpTransport = (url, request) =>
  sendConfirmed(async () => {
    const response = await fetch(url, request);
    serverClock.update(response.headers.get('date'), Date.now());
    return response;
  });

export const api: Client = createClient({
  baseUrl: globalThis.location.origin,
  ...DASHBOARD_HEADERS,
  transport,
});

/** What was read, and the position of the log of events that it is true for. */
export interface Positioned<T> {
  readonly value: T;
  readonly position: number;
}

export async function fetchPositioned<R extends RouteDefinition>(
  request: Promise<ApiResponse<R>>,
): Promise<Positioned<ResponseOf<R>>> {
  const { body, headers } = await request;
  return { value: body, position: getEventPosition(headers) };
}

/** A record as it was read, and what says so when it is changed or removed. */
export type WithEtag<T> = T & { readonly etag: string };

export async function fetchWithEtag<Body extends object>(
  request: Promise<{ readonly body: Body; readonly headers: Pick<Headers, 'get'> }>,
): Promise<WithEtag<Body>> {
  const { body, headers } = await request;
  return { ...body, etag: headers.get('etag') ?? '' };
}

/** Only the answer. */
export const fetchBody = async <R extends RouteDefinition>(
  request: Promise<ApiResponse<R>>,
): Promise<ResponseOf<R>> => (await request).body;

/** An account, one's own or another's. */
export type Account = Static<typeof AccountShape>;

/** There is no such thing, or there is no more. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** It is not what it was when it was read: somebody else was faster. */
export const isEditConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'precondition_failed';

/** The service does not know us. Its status depends on whom it is compatible with; the code does not. */
export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'unauthorized';
