export type StaticHeaders = Readonly<Record<string, string>>;

const HEADERS: StaticHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A year, in seconds. */
const HSTS_MAX_AGE_S = 31_536_000;

/** What every answer carries. Over plain HTTP browsers ignore Strict-Transport-Security, and behind a proxy it is the proxy's. */
export const staticHeaders = (isTls: boolean): StaticHeaders =>
  isTls ? { ...HEADERS, 'strict-transport-security': `max-age=${HSTS_MAX_AGE_S}` } : HEADERS;
