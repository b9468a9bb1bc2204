import { onTestFinished } from 'vitest';
import { OpenStream } from './events/event-streams.ts';
import type { RequestOptions, Response, TestService } from './service.ts';

export interface DashboardSession {
  /** Cookie with its attributes. */
  readonly setCookie: string;
  /** Cookie header of later requests. */
  readonly cookie: string;
  /** Request options of the dashboard. */
  readonly options: RequestOptions & { readonly as: null; readonly headers: Record<string, string> };
  readonly response: Response<{ account: string; role: string; expires_at: string }>;
}

/** Creates a session as the dashboard does. */
export async function signIn(
  service: TestService,
  as?: string,
  headers: Record<string, string> = {},
): Promise<DashboardSession> {
  const response = await service.put<DashboardSession['response']['body']>('/api/v0/session', undefined, {
    ...(as !== undefined && { as }),
    headers: { 'hostler-dashboard': '1', ...headers },
  });
  const setCookie = response.headers.get('set-cookie') ?? '';
  const [cookie = ''] = setCookie.split(';');
  return {
    ...{ setCookie, cookie, response },
    options: { as: null, headers: { 'hostler-dashboard': '1', cookie, ...headers } },
  };
}

/** Closes at the end of the test. */
export async function followEvents(
  service: TestService,
  { as, headers }: Pick<DashboardSession['options'], 'as' | 'headers'>,
): Promise<OpenStream> {
  const stream = await OpenStream.open(`${service.url}/api/v0/events`, { as, headers });
  onTestFinished(() => stream.close());
  await stream.waitFor('retry');
  return stream;
}

/** Session secret in cookies. */
export const SESSION_SECRET = /hss_[\w-]{43}/;
/** A cookie with an unknown secret. */
export const WRONG_COOKIE = `hostler-session=hss_${'x'.repeat(43)}`;
