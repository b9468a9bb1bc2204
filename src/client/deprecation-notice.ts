import type { Route } from '../contract/route.ts';

/** What a service has said of a call that this client still makes: a newer one may not. */
export interface DeprecationNotice {
  readonly row: Route;
  /** Days such as `2026-11-15`; `undefined` where the service does not say, or nobody can read it. */
  readonly since: string | undefined;
  readonly sunset: string | undefined;
}

const dayOf = (epochMs: number): string | undefined =>
  Number.isNaN(new Date(epochMs).getTime()) ? undefined : new Date(epochMs).toISOString().slice(0, 10);

export function deprecationNoticeOf(
  row: Route,
  headers: Pick<Headers, 'get'>,
): DeprecationNotice | undefined {
  const deprecation = headers.get('deprecation');
  if (deprecation === null) return undefined;
  const [, seconds = ''] = /^@(-?\d+)$/.exec(deprecation) ?? [];
  return {
    row,
    since: seconds === '' ? undefined : dayOf(Number(seconds) * 1000),
    sunset: dayOf(Date.parse(headers.get('sunset') ?? '')),
  };
}
