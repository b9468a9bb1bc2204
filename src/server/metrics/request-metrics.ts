import type { HttpMetrics } from '../../http/telling/http-metrics.ts';
import { OTHER_ROUTE } from '../../http/telling/http-metrics.ts';
import { counter, histogram, SHORT_S } from './metric.ts';
import type { Registry } from './registry.ts';

const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'];
const ANY_OTHER = 'other';

const METHOD_LABEL = [...METHODS, ANY_OTHER];
const ROUTE_LABEL = {
  bound:
    'the template of a path, as in the [list of endpoints](endpoints.md), or `other` for the dashboard, unknown paths and malformed requests',
};

export const REQUEST_METRICS = {
  requests: counter(
    'hostler_http_requests_total',
    'Requests that the server responded to, including malformed requests. Event streams are not counted.',
    {
      method: METHOD_LABEL,
      route: ROUTE_LABEL,
      code: { bound: 'the HTTP status of the response' },
    },
  ),
  duration: histogram(
    'hostler_http_request_duration_seconds',
    'Duration of requests, from the request line to the end of the response.',
    SHORT_S,
    { method: METHOD_LABEL, route: ROUTE_LABEL },
  ),
};

/** Malformed requests have no duration, because their start is unknown. */
export function requestMeter(registry: Registry): Pick<HttpMetrics, 'requestServed' | 'requestUnreadable'> {
  const requests = registry.counter(REQUEST_METRICS.requests);
  const duration = registry.histogram(REQUEST_METRICS.duration);
  return {
    requestServed: (method, route, status, seconds) => {
      const told = METHODS.includes(method) ? method : ANY_OTHER;
      requests.add(1, told, route, String(status));
      duration.observe(seconds, told, route);
    },
    requestUnreadable: status => requests.add(1, ANY_OTHER, OTHER_ROUTE, String(status)),
  };
}
