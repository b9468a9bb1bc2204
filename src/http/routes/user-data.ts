import type { App } from '../../app/index.ts';
import type { userDataRoutes } from '../../contract/routes/user-data.ts';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import type { HandlersOf } from '../call.ts';
import { tokenLimitsOf } from '../requests/token-limits.ts';

export const userDataHandlers = (app: App): HandlersOf<typeof userDataRoutes> => ({
  createUserData: async ({ actor, params: { name: cluster }, body }) => {
    const { url, ca, remote_user: remoteUser, legacy } = body;
    const made = await app.makeUserData(actor, {
      ...{ cluster, url, ca, remoteUser, limits: tokenLimitsOf(body) },
      legacy: legacy && { account: legacy.account, password: new Secret(legacy.password) },
    });
    if (made instanceof AppError) return made;
    const { script, token } = made;
    return { body: script, isNew: true, ...(token && { headers: { 'hostler-token-name': token } }) };
  },
});
