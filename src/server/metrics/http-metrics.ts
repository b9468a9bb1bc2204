import type { PasswordHasher } from '../../app/auth/password-hasher.ts';
import { AppError } from '../../domain/errors.ts';
import type { ConnectionMetrics } from '../../http/connections/connection-limits.ts';
import { CONNECTION_LIMITS } from '../../http/connections/connection-limits.ts';
import type { HttpMetrics } from '../../http/observability.ts';
import { UNMATCHED_ROUTE } from '../../http/observability.ts';
import { stopwatch } from '../../lib/time/clock.ts';
import { counter, gauge, histogram, SHORT_BUCKETS } from './metric.ts';
import type { Registry } from './registry.ts';

const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'];
const OTHER_METHOD = 'other';

const METHOD_LABEL = [...METHODS, OTHER_METHOD];
const ROUTE_LABEL = {
  description:
    'the template of a path, as in the [list of endpoints](endpoints.md), or `other` for the dashboard, unknown paths and malformed requests',
};

export const REQUEST_METRICS = {
  requests: counter(
    'hostler_http_requests_total',
    'Requests that the server responded to, including malformed requests. Event streams are not counted.',
    { method: METHOD_LABEL, route: ROUTE_LABEL, code: { description: 'the HTTP status of the response' } },
  ),
  duration: histogram(
    'hostler_http_request_duration_seconds',
    'Duration of requests, from the request line to the end of the response.',
    SHORT_BUCKETS,
    { method: METHOD_LABEL, route: ROUTE_LABEL },
  ),
};

/** Malformed requests have no duration, because their start is unknown. */
export function createRequestMetrics(registry: Registry): Pick<HttpMetrics, 'requestServed' | 'requestMalformed'> {
  const { requests, duration } = registry.create(REQUEST_METRICS);
  return {
    requestServed: (method, route, status, seconds) => {
      const methodLabel = METHODS.includes(method) ? method : OTHER_METHOD;
      requests.add(1, methodLabel, route, String(status));
      duration.observe(seconds, methodLabel, route);
    },
    requestMalformed: status => requests.add(1, OTHER_METHOD, UNMATCHED_ROUTE, String(status)),
  };
}

export const CONNECTION_METRICS = {
  open: gauge('hostler_http_connections', 'Open client connections.'),
  rejected: counter(
    'hostler_http_connections_rejected_total',
    'Client connections that the server closed immediately because a limit was reached: `total` for all clients together, `client` for one client.',
    { limit: CONNECTION_LIMITS },
  ),
};

export function createConnectionMetrics(registry: Registry): ConnectionMetrics {
  const { open, rejected } = registry.create(CONNECTION_METRICS);
  open.set(0);
  return { opened: () => open.add(1), closed: () => open.add(-1), rejected: limit => rejected.add(1, limit) };
}

export const LOGIN_METRICS = {
  failed: counter('hostler_logins_failed_total', 'Rejected logins with a password or token.', {
    code: ['unauthorized', 'too_many_failed_logins'],
  }),
  pending: gauge('hostler_password_hashes_pending', 'Password hashes in progress or in the queue.'),
  rejected: counter(
    'hostler_password_hashes_rejected_total',
    'Password hashes that were rejected because the queue was full.',
  ),
  duration: histogram(
    'hostler_password_hash_duration_seconds',
    'Duration of password hashes, including the time in the queue.',
    SHORT_BUCKETS,
  ),
};

export type LoginMetrics = ReturnType<typeof createLoginMetrics>;

export function createLoginMetrics(registry: Registry) {
  const { failed, pending, rejected, duration } = registry.create(LOGIN_METRICS);
  pending.set(0);
  const measured = async <Result>(compute: () => Promise<Result | AppError>) => {
    const seconds = stopwatch();
    pending.add(1);
    try {
      const result = await compute();
      if (result instanceof AppError) rejected.add(1);
      else duration.observe(seconds());
      return result;
    } finally {
      pending.add(-1);
    }
  };
  return {
    loginRejected: (code: string) => failed.add(1, code),
    measuredHasher: (hasher: PasswordHasher): PasswordHasher => ({
      hash: password => measured(() => hasher.hash(password)),
      verify: (passwordHash, password, caller) => measured(() => hasher.verify(passwordHash, password, caller)),
    }),
  };
}
