import type { TokenDetails, TokenLimits } from '../../app/accounts/enrolment-tokens.ts';
import type { App } from '../../app/index.ts';
import type { BodyOf } from '../../contract/route-definition.ts';
import type { Token, tokenRoutes, userDataRoutes } from '../../contract/routes/tokens.ts';
import { TOKEN_DEFAULTS } from '../../contract/routes/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { respond } from '../register-route.ts';
import type { HandlersFor, View } from '../request-context.ts';
import { respondPage, stringifyView } from '../responses/pagination.ts';

const viewToken = ({ token, state }: TokenDetails): View<typeof Token> => ({
  name: token.name,
  cluster: token.cluster ?? '',
  cidr: token.network ?? '',
  uses: token.uses,
  used: token.used,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  state,
});

type LimitsBody = Pick<BodyOf<typeof tokenRoutes.putToken>, 'cidr' | 'uses' | 'expires_in_s'>;

function toTokenLimits(body: LimitsBody): TokenLimits {
  const { cidr, uses, expires_in_s: expiresInS } = { ...TOKEN_DEFAULTS, ...body };
  return { cidr, uses, expiresInS };
}

type Routes = typeof tokenRoutes & typeof userDataRoutes;

export const tokenHandlers = ({ tokens, makeUserData }: App): HandlersFor<Routes> => ({
  listTokens: context => respondPage(context, tokens.list, ({ token }) => token.name, stringifyView(viewToken)),

  getToken: async ({ params }) => respond(await tokens.get(params.name), viewToken),

  putToken: async ({ actor, params: { name }, body }) => {
    const cluster = body.cluster ? toRecordName(body.cluster) : null;
    const result = await tokens.create(actor, { name, cluster, ...toTokenLimits(body) });
    if (result instanceof AppError) return result;
    const { record, isNew, secret } = result;
    return { body: { ...viewToken(record), secret: secret?.reveal() }, status: isNew ? 201 : undefined };
  },

  removeToken: async ({ actor, params }) => (await tokens.remove(actor, params.name)) ?? { body: [] },

  createUserData: async ({ actor, params: { name: cluster }, body }) => {
    const { url, ca, remote_user: remoteUser, legacy } = body;
    const userData = await makeUserData(actor, {
      cluster,
      url,
      ca,
      remoteUser,
      limits: toTokenLimits(body),
      legacy: legacy && { account: legacy.account, password: new Secret(legacy.password) },
    });
    return respond(userData, ({ script }) => script, {
      status: 201,
      headers: ({ token }) => (token ? { 'hostler-token-name': token } : {}),
    });
  },
});
