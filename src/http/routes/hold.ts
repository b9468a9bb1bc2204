import type { App } from '../../app/index.ts';
import type { holdRoutes } from '../../contract/routes/hold.ts';
import type { HandlersOf } from '../call.ts';

export const holdHandlers = ({ operations }: App): HandlersOf<typeof holdRoutes> => ({
  getHold: async () => ({ body: { paused: await operations.readHold() } }),
  holdOperations: async ({ actor }) => ({ body: { paused: await operations.hold(actor, true) } }),
  releaseOperations: async ({ actor }) => ({ body: { paused: await operations.hold(actor, false) } }),
});
