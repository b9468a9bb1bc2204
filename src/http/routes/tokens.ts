import type { Static } from 'typebox';
import type { TokenDetails } from '../../app/accounts/enrolment-tokens.ts';
import type { App } from '../../app/index.ts';
import type { Token, tokenRoutes, userDataRoutes } from '../../contract/routes/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import type { HandlersFor } from '../request-context.ts';
import { parseNamePage, toListResult } from '../responses/pagination.ts';
import { toTokenLimits } from './request-mapping.ts';

export const viewToken = ({ token, state }: TokenDetails): Static<typeof Token> => ({
  name: token.name,
  cluster: token.cluster ?? '',
  cidr: token.network ?? '',
  uses: token.uses,
  used: token.used,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  state,
});

export const tokenHandlers = ({ tokens }: App): HandlersFor<typeof tokenRoutes> => ({
  listTokens: async ({ query, url }) => {
    const page = parseNamePage(query);
    if (page instanceof AppError) return page;
    return toListResult(
      url,
      await tokens.list(page),
      ({ token }) => token.name,
      token => JSON.stringify(viewToken(token)),
    );
  },

  getToken: async ({ params }) => {
    const token = await tokens.get(params.name);
    return token instanceof AppError ? token : { body: viewToken(token) };
  },

  putToken: async ({ actor, params: { name }, body }) => {
    const { cluster } = body;
    const result = await tokens.create(actor, {
      ...{ name, ...toTokenLimits(body) },
      cluster: cluster ? toRecordName(cluster) : null,
    });
    if (result instanceof AppError) return result;
    const { record, isNew, secret } = result;
    return { body: { ...viewToken(record), ...(secret && { secret: secret.reveal() }) }, isNew };
  },

  removeToken: async ({ actor, params }) => (await tokens.remove(actor, params.name)) ?? { body: [] },
});

export const userDataHandlers = (app: App): HandlersFor<typeof userDataRoutes> => ({
  createUserData: async ({ actor, params: { name: cluster }, body }) => {
    const { url, ca, remote_user: remoteUser, legacy } = body;
    const userData = await app.makeUserData(actor, {
      ...{ cluster, url, ca, remoteUser, limits: toTokenLimits(body) },
      legacy: legacy && { account: legacy.account, password: new Secret(legacy.password) },
    });
    if (userData instanceof AppError) return userData;
    const { script, token } = userData;
    return { body: script, isNew: true, ...(token && { headers: { 'hostler-token-name': token } }) };
  },
});
