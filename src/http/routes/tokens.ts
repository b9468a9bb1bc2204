import type { App } from '../../app/index.ts';
import type { tokenRoutes } from '../../contract/routes/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { answerList, pageOfNames } from '../answers/paging.ts';
import type { HandlersOf } from '../call.ts';
import { tokenLimitsOf } from '../requests/token-limits.ts';
import { viewToken } from '../views/token.ts';

export const tokenHandlers = ({ tokens }: App): HandlersOf<typeof tokenRoutes> => ({
  listTokens: async ({ query, url }) => {
    const page = pageOfNames(query);
    if (page instanceof AppError) return page;
    return answerList(
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
      ...{ name, ...tokenLimitsOf(body) },
      cluster: cluster ? toRecordName(cluster) : null,
    });
    if (result instanceof AppError) return result;
    const { record, isNew, secret } = result;
    return { body: { ...viewToken(record), ...(secret && { secret: secret.reveal() }) }, isNew };
  },

  removeToken: async ({ actor, params }) => (await tokens.remove(actor, params.name)) ?? { body: [] },
});
