import type { TokenLimits } from '../app/tokens/create-token.ts';
import type { BodyOf } from '../contract/route.ts';
import type { tokenRoutes } from '../contract/routes/tokens.ts';

const DAY_S = 86_400;

type LimitsBody = Pick<BodyOf<typeof tokenRoutes.putToken>, 'cidr' | 'uses' | 'expires_in_s'>;

/** What was sent about the limits of a token, with what holds where nothing was. */
export const tokenLimitsOf = ({
  cidr = '',
  uses = 1,
  expires_in_s: expiresInS = DAY_S,
}: LimitsBody): TokenLimits => ({ cidr, uses, expiresInS });
