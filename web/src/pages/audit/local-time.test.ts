import { expect, it } from 'vitest';
import { localOf, utcOf } from './local-time.ts';

it.each(['2026-06-17T15:48', '2026-01-01T00:00', '2026-12-31T23:59'])('%s stays what it is', utc => {
  expect(utcOf(localOf(utc))).toBe(utc);
});

it('takes a day as its beginning in UTC', () => {
  expect(utcOf(localOf('2026-06-17'))).toBe('2026-06-17T00:00');
});

it.each(['', 'yesterday'])('has nothing for %j', text => {
  expect([localOf(text), utcOf(text)]).toEqual(['', '']);
});
