import { argon2Hasher } from '../../src/app/auth/password-hasher.ts';

/** For services whose tests make many accounts and are about something else: the least that Argon2 can be told to cost. */
export const QUICK_HASHER = { hasher: argon2Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }) };
