import { expect, test } from 'vitest';
import { getNextCursor, getOperationId } from './response-headers.ts';

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

test('getOperationId() returns the last segment of the location', () => {
  const headers = new Headers({ location: '/api/v0/operation/1-GxcC6shPdBZni2' });
  expect(getOperationId({ headers })).toBe('1-GxcC6shPdBZni2');
});

test.each([undefined, '', '/api/v0/operation/', '/api/v0/host/192.0.2.7'])(
  'getOperationId() throws for the location %j',
  location => {
    const headers = new Headers(location === undefined ? {} : { location });
    expect(() => getOperationId({ headers })).toThrow('the server returned no operation ID');
  },
);
