import { describe, expect, test } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { parseBasicAuth, readSessionCookie, readSessionSecret } from './credential-headers.ts';

const encode = (text: string | Buffer) => Buffer.from(text).toString('base64');
const parseHeader = (header: string) => {
  const credentials = parseBasicAuth(new Secret(header));
  return credentials && [credentials.name, credentials.password.reveal()];
};

describe('parseBasicAuth', () => {
  test.each([
    ['user and password', `Basic ${encode('admin:secret')}`, ['admin', 'secret']],
    ['a lowercase scheme', `basic ${encode('admin:secret')}`, ['admin', 'secret']],
    ['an uppercase scheme', `BASIC ${encode('admin:secret')}`, ['admin', 'secret']],
    ['several spaces', `Basic   ${encode('admin:secret')}  `, ['admin', 'secret']],
    ['a password with colons', `Basic ${encode('admin:a:b::')}`, ['admin', 'a:b::']],
    ['a password that is a colon', `Basic ${encode('admin::')}`, ['admin', ':']],
    ['a password with surrounding spaces', `Basic ${encode('admin: x ')}`, ['admin', ' x ']],
    ['UTF-8', `Basic ${encode('jürgen:пароль 🔑')}`, ['jürgen', 'пароль 🔑']],
    ['missing padding', `Basic ${encode('admin:secret1').replace(/=+$/, '')}`, ['admin', 'secret1']],
  ])('accepts %s', (_case, header, credentials) => {
    expect(parseHeader(header)).toEqual(credentials);
  });

  test.each([
    ['an empty header', ''],
    ['the scheme alone', 'Basic'],
    ['an empty value', 'Basic '],
    ['a missing space after the scheme', `Basic${encode('admin:secret')}`],
    ['another scheme', `Bearer ${encode('admin:secret')}`],
    ['a scheme with the same suffix', `X-Basic ${encode('admin:secret')}`],
    ['text that is not base64', 'Basic admin:secret'],
    ['base64url', 'Basic _-_-'],
    ['padding in the middle', 'Basic YTpi=YTpi'],
    ['too much padding', 'Basic YTpi==='],
    ['a second value', `Basic ${encode('admin:secret')} ${encode('admin:secret')}`],
    ['a newline', `Basic ${encode('admin:secret')}\n`],
    ['a missing colon', `Basic ${encode('admin')}`],
    ['an empty user name', `Basic ${encode(':secret')}`],
    ['an empty password', `Basic ${encode('admin:')}`],
    ['an empty user name and password', `Basic ${encode(':')}`],
    ['Latin-1 instead of UTF-8', `Basic ${encode(Buffer.from('admin:pässword', 'latin1'))}`],
    ['an incomplete UTF-8 character', `Basic ${encode(Buffer.from([0x61, 0x3a, 0xc3]))}`],
    ['an overlong UTF-8 encoding', `Basic ${encode(Buffer.from([0x61, 0x3a, 0xc0, 0xaf]))}`],
  ])('rejects %s', (_case, header) => {
    expect(parseHeader(header)).toBeUndefined();
  });

  test('returns the password as a Secret', () => {
    expect(JSON.stringify(parseBasicAuth(new Secret(`Basic ${encode('admin:secret')}`)))).not.toContain('"secret"');
  });
});

const NAME = 'hostler-session';
const SECRET = `hss_${'s'.repeat(43)}`;
const OTHER = `hss_${'o'.repeat(43)}`;
const readCookie = (header: string | undefined) => readSessionCookie(header, NAME)?.reveal();

describe('readSessionCookie', () => {
  test.each([
    ['alone', `${NAME}=${SECRET}`],
    ['between other cookies', `a=1; ${NAME}=${SECRET}; b=2`],
    ['without spaces', `a=1;${NAME}=${SECRET};b=2`],
    ['with extra spaces', `a=1;  ${NAME}=${SECRET} ; b`],
    ['next to malformed cookies', `;;=;=x; ; a; ${NAME}=${SECRET};`],
    ['next to a cookie with the name as its value', `a=${NAME}; ${NAME}=${SECRET}`],
    ['next to the cookie for TLS', `__Host-${NAME}=${OTHER}; ${NAME}=${SECRET}`],
  ])('finds the session cookie %s', (_case, header) => {
    expect(readCookie(header)).toBe(SECRET);
  });

  test.each([
    ['the header is missing', undefined],
    ['the header is empty', ''],
    ['the header is only the name', NAME],
    ['the value is empty', `${NAME}=`],
    ['the value is too short', `${NAME}=${SECRET.slice(1)}`],
    ['the value is too long', `${NAME}=${SECRET}=`],
    ['the value is in quotes', `${NAME}="${SECRET}"`],
    ['the value is an enrolment token', `${NAME}=hst_${'s'.repeat(43)}`],
    ['the value is percent-encoded', `${NAME}=%68ss_${'s'.repeat(43)}`],
    ['the name is uppercase', `${NAME.toUpperCase()}=${SECRET}`],
    ['the name is longer', `x${NAME}=${SECRET}`],
    ['the name has the prefix __Host-', `__Host-${NAME}=${SECRET}`],
    ['the name is part of a value', `a=${NAME}=${SECRET}`],
    ['the cookies are separated by commas', `a=1, ${NAME}=${SECRET}`],
    ['there are two different session cookies', `${NAME}=${SECRET}; ${NAME}=${OTHER}`],
    ['the session cookie is repeated', `${NAME}=${SECRET}; ${NAME}=${SECRET}`],
    ['an empty session cookie precedes it', `${NAME}=; ${NAME}=${SECRET}`],
    [
      'the header contains all byte values',
      Buffer.from(Array.from({ length: 256 }, (_, code) => code)).toString('latin1'),
    ],
    ['the header is very long', `${NAME};`.repeat(1000) + '='.repeat(1000)],
  ])('returns undefined if %s', (_case, header) => {
    expect(readCookie(header)).toBeUndefined();
  });
});

test.each<[string, Record<string, string>, boolean]>([
  ['with the header', { 'hostler-dashboard': '1' }, true],
  ['without the header', {}, false],
  ['with another value', { 'hostler-dashboard': 'true' }, false],
  ['with an empty value', { 'hostler-dashboard': '' }, false],
  ['with a repeated header', { 'hostler-dashboard': '1, 1' }, false],
  ['from the same origin', { 'hostler-dashboard': '1', 'sec-fetch-site': 'same-origin' }, true],
  ['from the address bar', { 'hostler-dashboard': '1', 'sec-fetch-site': 'none' }, true],
  ['from another host of the same site', { 'hostler-dashboard': '1', 'sec-fetch-site': 'same-site' }, false],
  ['from another site', { 'hostler-dashboard': '1', 'sec-fetch-site': 'cross-site' }, false],
  ['with an empty origin', { 'hostler-dashboard': '1', 'sec-fetch-site': '' }, false],
  ['from two origins', { 'hostler-dashboard': '1', 'sec-fetch-site': 'same-origin, cross-site' }, false],
])('readSessionSecret accepts a cookie %s (%j): %s', (_case, headers, isAccepted) => {
  const secret = readSessionSecret({ ...headers, cookie: `${NAME}=${SECRET}` }, NAME);
  expect(secret?.reveal()).toBe(isAccepted ? SECRET : undefined);
});
