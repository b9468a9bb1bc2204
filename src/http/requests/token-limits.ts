import type { TokenLimits } from '../../app/tokens/create-token.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { tokenRoutes } from '../../contract/routes/tokens.ts';
import { TOKEN_DEFAULTS } from '../../contract/routes/tokens.ts';

type LimitsBody = Pick<BodyOf<typeof tokenRoutes.putToken>, 'cidr' | 'uses' | 'expires_in_s'>;

/** What was sent about the limits of a token, with what holds where nothing was. */
export function tokenLimitsOf(body: LimitsBody): TokenLimits {
  const { cidr, uses, expires_in_s: expiresInS } = { ...TOKEN_DEFAULTS, ...body };
  return { cidr, uses, expiresInS };
}
