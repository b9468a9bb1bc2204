import { describe, expect, test } from 'vitest';
import { readSessionCookie, sessionSecretOf } from './session-secret.ts';

const NAME = 'hostler-session';
const SECRET = `hss_${'s'.repeat(43)}`;
const OTHER = `hss_${'o'.repeat(43)}`;
const read = (header: string | undefined) => readSessionCookie(header, NAME)?.reveal();

describe('a Cookie header', () => {
  test.each([
    ['alone', `${NAME}=${SECRET}`],
    ['between others', `a=1; ${NAME}=${SECRET}; b=2`],
    ['without spaces', `a=1;${NAME}=${SECRET};b=2`],
    ['with more spaces', `a=1;  ${NAME}=${SECRET} ; b`],
    ['beside what is no cookie', `;;=;=x; ; a; ${NAME}=${SECRET};`],
    ['beside the name as a value', `a=${NAME}; ${NAME}=${SECRET}`],
    ['beside the one for TLS', `__Host-${NAME}=${OTHER}; ${NAME}=${SECRET}`],
  ])('has the secret of a session: %s', (_what, header) => {
    expect(read(header)).toBe(SECRET);
  });

  test.each([
    ['there is none', undefined],
    ['it is empty', ''],
    ['it has only the name', NAME],
    ['the value is empty', `${NAME}=`],
    ['the value is cut', `${NAME}=${SECRET.slice(1)}`],
    ['the value has more', `${NAME}=${SECRET}=`],
    ['the value is in quotes', `${NAME}="${SECRET}"`],
    ['the value is of an enrolment token', `${NAME}=hst_${'s'.repeat(43)}`],
    ['the value is encoded', `${NAME}=%68ss_${'s'.repeat(43)}`],
    ['the name is in capitals', `${NAME.toUpperCase()}=${SECRET}`],
    ['the name is longer', `x${NAME}=${SECRET}`],
    ['the name has the prefix', `__Host-${NAME}=${SECRET}`],
    ['the name stands in a value', `a=${NAME}=${SECRET}`],
    ['it is divided by commas', `a=1, ${NAME}=${SECRET}`],
    ['there are two', `${NAME}=${SECRET}; ${NAME}=${OTHER}`],
    ['it is there twice', `${NAME}=${SECRET}; ${NAME}=${SECRET}`],
    ['another is in front of it', `${NAME}=; ${NAME}=${SECRET}`],
    [
      'it has all the signs there are',
      Buffer.from(Array.from({ length: 256 }, (_, sign) => sign)).toString('latin1'),
    ],
    ['it is as long as headers may be', `${NAME};`.repeat(1000) + '='.repeat(1000)],
  ])('has none when %s', (_what, header) => {
    expect(read(header)).toBeUndefined();
  });
});

test.each<[string, Record<string, string>, boolean]>([
  ['with the header', { 'hostler-dashboard': '1' }, true],
  ['without the header', {}, false],
  ['with another value', { 'hostler-dashboard': 'true' }, false],
  ['with an empty value', { 'hostler-dashboard': '' }, false],
  ['with the header twice', { 'hostler-dashboard': '1, 1' }, false],
  ['from the same origin', { 'hostler-dashboard': '1', 'sec-fetch-site': 'same-origin' }, true],
  ['from the address bar', { 'hostler-dashboard': '1', 'sec-fetch-site': 'none' }, true],
  ['from another host of the site', { 'hostler-dashboard': '1', 'sec-fetch-site': 'same-site' }, false],
  ['from another site', { 'hostler-dashboard': '1', 'sec-fetch-site': 'cross-site' }, false],
  ['from what nobody knows', { 'hostler-dashboard': '1', 'sec-fetch-site': '' }, false],
  ['from two places', { 'hostler-dashboard': '1', 'sec-fetch-site': 'same-origin, cross-site' }, false],
])('the cookie of a request %s counts: %j, %s', (_what, headers, counts) => {
  const secret = sessionSecretOf({ ...headers, cookie: `${NAME}=${SECRET}` }, NAME);
  expect(secret?.reveal()).toBe(counts ? SECRET : undefined);
});
