import type { metricsRoutes } from '../../contract/routes/metrics.ts';
import { OPEN_METRICS } from '../../contract/routes/metrics.ts';
import type { HandlersOf } from '../call.ts';
import { wantsOpenMetrics } from '../requests/wants-open-metrics.ts';
import type { HttpMetrics } from '../telling/http-metrics.ts';

export const metricsHandlers = ({ read }: HttpMetrics): HandlersOf<typeof metricsRoutes> => ({
  getMetrics: async ({ accept }) => {
    const headers = { vary: 'accept' };
    return wantsOpenMetrics(accept)
      ? { body: await read('openmetrics'), mediaType: OPEN_METRICS, headers }
      : { body: await read('prometheus'), headers };
  },
});
