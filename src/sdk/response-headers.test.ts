import { expect, test } from 'vitest';
import { getNextCursor } from './response-headers.ts';

const NEXT = '</api/v0/hosts?limit=2&after=2001%3Adb8%3A%3A1>; rel="next"';
const OTHER = '</docs#listHosts>; rel="help"; type="text/html"';

test.each([
  ['no link', undefined, undefined],
  ['a next page', NEXT, '2001:db8::1'],
  ['a link to something else', OTHER, undefined],
  ['a next page after another link', `${OTHER}, ${NEXT}`, '2001:db8::1'],
  ['a next page before another link', `${NEXT}, ${OTHER}`, '2001:db8::1'],
])('getNextCursor() returns $2 for %s', (_name, link, after) => {
  expect(getNextCursor(new Headers(link === undefined ? {} : { link }))).toBe(after);
});
