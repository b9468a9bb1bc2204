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
