/** The header `Authorization` of an account, as `user:password`. */
export const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
