import type { App } from '../../app/index.ts';
import type { holdRoutes } from '../../contract/routes/hold.ts';
import type { HandlersOf } from '../call.ts';

export const holdHandlers = ({ operations }: App): HandlersOf<typeof holdRoutes> => ({
  getGlobalPause: async () => ({ body: { paused: await operations.readHold() } }),
  pauseAllOperations: async ({ actor }) => ({ body: { paused: await operations.hold(actor, true) } }),
  resumeAllOperations: async ({ actor }) => ({ body: { paused: await operations.hold(actor, false) } }),
});
