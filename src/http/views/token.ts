import type { Static } from 'typebox';
import type { ReadableToken } from '../../app/tokens/read-tokens.ts';
import type { Token } from '../../contract/routes/tokens.ts';

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
