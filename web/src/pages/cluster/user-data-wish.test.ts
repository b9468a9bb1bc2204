import { expect, test } from 'vitest';
import { NO_WISH } from '../../fleet/token-wish.ts';
import type { TypedScript } from './user-data-wish.ts';
import { NO_SCRIPT, userDataWish } from './user-data-wish.ts';

test.each<[string, Partial<TypedScript>, object]>([
  ['nothing', {}, {}],
  ['where the service is', { url: ' https://hostler.example ' }, { url: 'https://hostler.example' }],
  ['a user', { remote_user: 'core' }, { remote_user: 'core' }],
  ['certificates', { ca: '-----BEGIN\n' }, { ca: '-----BEGIN' }],
])('asks for %s', (_what, typed, wish) => {
  expect(userDataWish(NO_WISH, { ...NO_SCRIPT, ...typed })).toEqual(wish);
});

test('asks for a token as a token is asked for', () => {
  const token = { ...NO_WISH, uses: '20', lasts: '2', cidr: '10.0.0.0/8' };
  expect(userDataWish(token, NO_SCRIPT)).toEqual({ uses: 20, expires_in_s: 7200, cidr: '10.0.0.0/8' });
});
