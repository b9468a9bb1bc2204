import { onTestFinished } from 'vitest';
import { OpenStream } from './events/open-stream.ts';
import type { RequestOptions, Response, TestService } from './service.ts';

export interface SignedIn {
  /** What the browser got, with its attributes. */
  readonly setCookie: string;
  /** What it sends from then on. */
  readonly cookie: string;
  /** For requests as the dashboard makes them. */
  readonly options: RequestOptions & { readonly as: null; readonly headers: Record<string, string> };
  readonly response: Response<{ account: string; role: string; expires_at: string }>;
}

/** Signs in as the dashboard does. */
export async function signIn(
  service: TestService,
  as?: string,
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const response = await service.put<SignedIn['response']['body']>('/api/v0/session', undefined, {
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

/** The events as a session follows them. When the test is over it is closed. */
export async function follow(
  service: TestService,
  { as, headers }: Pick<SignedIn['options'], 'as' | 'headers'>,
): Promise<OpenStream> {
  const stream = await OpenStream.open(`${service.url}/api/v0/events`, { as, headers });
  onTestFinished(() => stream.close());
  await stream.has('retry');
  return stream;
}

/** The secret of a session, as cookies have it. */
export const SESSION_SECRET = /hss_[\w-]{43}/;
/** What nobody was given. */
export const WRONG_COOKIE = `hostler-session=hss_${'x'.repeat(43)}`;
