import { expect, it } from 'vitest';
import type { TypedToken } from './token-wish.ts';
import { NO_WISH, tokenWish } from './token-wish.ts';

const CASES: readonly (readonly [what: string, typed: Partial<TypedToken>, wish: object])[] = [
  ['nothing: all as by default', {}, {}],
  ['a number of hosts', { uses: '20' }, { uses: 20 }],
  ['hours', { lasts: '1.5' }, { expires_in_s: 5400 }],
  ['days', { lasts: '7', lastsUnit: 'days' }, { expires_in_s: 604_800 }],
  ['minutes', { lasts: '10', lastsUnit: 'minutes' }, { expires_in_s: 600 }],
  ['a network', { cidr: ' 10.0.0.0/8 ' }, { cidr: '10.0.0.0/8' }],
];

it.each(CASES)('%s', (_what, typed, wish) => {
  expect(tokenWish({ ...NO_WISH, ...typed })).toEqual(wish);
});
