import type { Shot } from '../load.ts';

/** The password of `admin` in the benchmarks. */
export const PASSWORD = 'bench';

const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

/** A request of the administrator; `path` is without `/api/v0`. */
export const authorized = (method: Shot['method'], path: string, body?: unknown): Shot => ({
  method,
  path: `/api/v0${path}`,
  headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});
