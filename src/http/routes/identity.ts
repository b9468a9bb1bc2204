import type { App } from '../../app/index.ts';
import type { identityRoutes } from '../../contract/routes/identity.ts';
import type { HandlersOf } from '../call.ts';

export const identityHandlers = (app: App): HandlersOf<typeof identityRoutes> => ({
  getIdentity: async () => ({ body: { public_key: await app.readPublicKey() } }),
});
