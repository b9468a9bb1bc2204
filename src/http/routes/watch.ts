import type { App } from '../../app/index.ts';
import type { watchRoutes } from '../../contract/routes/watch.ts';
import type { HandlersOf } from '../call.ts';

export const watchHandlers = (app: App): HandlersOf<typeof watchRoutes> => ({
  getHealthChecks: async () => {
    const { intervalS, lagS, ...report } = await app.watchReport();
    return { body: { ...report, interval_s: intervalS, lag_s: lagS } };
  },
});
