import type { App } from '../../app/index.ts';
import type { overviewRoutes } from '../../contract/routes/overview.ts';
import type { HandlersOf } from '../call.ts';
import { viewOverview } from '../views/overview.ts';

export const overviewHandlers = (app: App): HandlersOf<typeof overviewRoutes> => ({
  getOverview: async () => ({ body: viewOverview(await app.readOverview()) }),
});
