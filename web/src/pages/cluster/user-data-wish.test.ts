import { expect, test } from 'vitest';
import type { UserDataDraft, UserDataWish } from './user-data-wish.ts';
import { NO_USER_DATA, userDataWish } from './user-data-wish.ts';

test.each<[Partial<UserDataDraft>, UserDataWish]>([
  [{}, {}],
  [
    { uses: '20', hours: '2' },
    { uses: 20, expires_in_s: 7200 },
  ],
  [
    { hours: '0.5', cidr: ' 10.0.0.0/8 ' },
    { expires_in_s: 1800, cidr: '10.0.0.0/8' },
  ],
  [
    { url: 'https://hostler.example', remote_user: 'core' },
    { url: 'https://hostler.example', remote_user: 'core' },
  ],
])('%j is %j', (draft, wish) => {
  expect(userDataWish({ ...NO_USER_DATA, ...draft })).toEqual(wish);
});
