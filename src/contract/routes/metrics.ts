import Type from 'typebox';
import { READERS, route } from '../route.ts';

/** The media types that Prometheus requests. */
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

export const metricsRoutes = {
  getMetrics: route({
    method: 'GET',
    path: '/metrics',
    tag: 'Service',
    summary: 'Get Prometheus metrics',
    description:
      'Returns OpenMetrics 1.0 if the client accepts `application/openmetrics-text`, otherwise the Prometheus text format 0.0.4.',
    roles: READERS,
    outlivesStore: true,
    isUntraced: true,
    statuses: [200],
    answer: Type.String(),
    mediaType: PROMETHEUS_TEXT,
    alsoAs: OPEN_METRICS,
  }),
};
