import type { Static } from 'typebox';
import type { ResponseOf, RouteDefinition } from '#contract/route-definition.ts';
import type { Account as AccountShape } from '#contract/routes/accounts.ts';
import type { ApiResponse, Client, HttpTransport } from '#sdk/client.ts';
import { createClient } from '#sdk/client.ts';
import { ApiError } from '#sdk/errors.ts';
import { getEventPosition } from '#sdk/response-headers.ts';
import { sendConfirmed } from './confirmation.ts';
import { serverClock } from './server-clock.ts';

/** The server accepts the session cookie only with this header. A form or another site cannot send it (CSRF). */
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

/** A response with the event log position that it reflects. */
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

/** A record with the ETag that updates and deletes send in If-Match. */
export type WithEtag<T> = T & { readonly etag: string };

export async function fetchWithEtag<Body extends object>(
  request: Promise<{ readonly body: Body; readonly headers: Pick<Headers, 'get'> }>,
): Promise<WithEtag<Body>> {
  const { body, headers } = await request;
  return { ...body, etag: headers.get('etag') ?? '' };
}

export const fetchBody = async <R extends RouteDefinition>(request: Promise<ApiResponse<R>>): Promise<ResponseOf<R>> =>
  (await request).body;

export type Account = Static<typeof AccountShape>;

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Checks the code: the status of this error differs between API compatibility modes. */
export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'unauthorized';
