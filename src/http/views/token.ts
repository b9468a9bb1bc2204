import type { Static } from 'typebox';
import type { TokenLimits } from '../../app/tokens/create-token.ts';
import type { ReadableToken } from '../../app/tokens/read-tokens.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { Token, tokenRoutes } from '../../contract/tokens.ts';

const DAY_S = 86_400;

type Limits = Pick<BodyOf<typeof tokenRoutes.putToken>, 'cidr' | 'uses' | 'expires_in_s'>;

export const tokenLimitsOf = ({
  cidr = '',
  uses = 1,
  expires_in_s: expiresInS = DAY_S,
}: Limits): TokenLimits => ({
  ...{ cidr, uses, expiresInS },
});

export const viewToken = ({ token, state }: ReadableToken): Static<typeof Token> => ({
  name: token.name,
  cluster: token.cluster ?? '',
  cidr: token.network ?? '',
  uses: token.uses,
  used: token.used,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  state,
});
