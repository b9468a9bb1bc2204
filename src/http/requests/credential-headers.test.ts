import { describe, expect, test } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { parseBasicAuth, readSessionCookie, readSessionSecret } from './credential-headers.ts';

const encode = (text: string | Buffer) => Buffer.from(text).toString('base64');
const parseHeader = (header: string) => {
  const credentials = parseBasicAuth(new Secret(header));
  return credentials && [credentials.name, credentials.password.reveal()];
};

describe('an Authorization header', () => {
  test.each([
    ['user and password', `Basic ${encode('admin:secret')}`, ['admin', 'secret']],
    ['the scheme in small letters', `basic ${encode('admin:secret')}`, ['admin', 'secret']],
    ['the scheme in capitals', `BASIC ${encode('admin:secret')}`, ['admin', 'secret']],
    ['several spaces', `Basic   ${encode('admin:secret')}  `, ['admin', 'secret']],
    ['a password with colons', `Basic ${encode('admin:a:b::')}`, ['admin', 'a:b::']],
    ['a password that is a colon', `Basic ${encode('admin::')}`, ['admin', ':']],
    ['a password with spaces around', `Basic ${encode('admin: x ')}`, ['admin', ' x ']],
    ['UTF-8', `Basic ${encode('jürgen:пароль 🔑')}`, ['jürgen', 'пароль 🔑']],
    ['missing padding', `Basic ${encode('admin:secret1').replace(/=+$/, '')}`, ['admin', 'secret1']],
  ])('is read: %s', (_what, header, credentials) => {
    expect(parseHeader(header)).toEqual(credentials);
  });

  test.each([
    ['an empty one', ''],
    ['the scheme alone', 'Basic'],
    ['nothing behind the scheme', 'Basic '],
    ['no space behind the scheme', `Basic${encode('admin:secret')}`],
    ['another scheme', `Bearer ${encode('admin:secret')}`],
    ['a scheme that ends the same', `X-Basic ${encode('admin:secret')}`],
    ['text that is not base64', 'Basic admin:secret'],
    ["the URL's alphabet", 'Basic _-_-'],
    ['padding in the middle', 'Basic YTpi=YTpi'],
    ['too much padding', 'Basic YTpi==='],
    ['a second word', `Basic ${encode('admin:secret')} ${encode('admin:secret')}`],
    ['a newline', `Basic ${encode('admin:secret')}\n`],
    ['no colon', `Basic ${encode('admin')}`],
    ['no user', `Basic ${encode(':secret')}`],
    ['no password', `Basic ${encode('admin:')}`],
    ['neither of both', `Basic ${encode(':')}`],
    ['Latin-1 instead of UTF-8', `Basic ${encode(Buffer.from('admin:pässword', 'latin1'))}`],
    ['half a character', `Basic ${encode(Buffer.from([0x61, 0x3a, 0xc3]))}`],
    ['an overlong character', `Basic ${encode(Buffer.from([0x61, 0x3a, 0xc0, 0xaf]))}`],
  ])('is not read: %s', (_what, header) => {
    expect(parseHeader(header)).toBeUndefined();
  });

  test('gives the password as a secret', () => {
    expect(JSON.stringify(parseBasicAuth(new Secret(`Basic ${encode('admin:secret')}`)))).not.toContain(
      '"secret"',
    );
  });
});

const NAME = 'hostler-session';
const SECRET = `hss_${'s'.repeat(43)}`;
const OTHER = `hss_${'o'.repeat(43)}`;
const readCookie = (header: string | undefined) => readSessionCookie(header, NAME)?.reveal();

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
    expect(readCookie(header)).toBe(SECRET);
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
      Buffer.from(Array.from({ length: 256 }, (_, code) => code)).toString('latin1'),
    ],
    ['it is as long as headers may be', `${NAME};`.repeat(1000) + '='.repeat(1000)],
  ])('has none when %s', (_what, header) => {
    expect(readCookie(header)).toBeUndefined();
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
])('the cookie of a request %s counts: %j, %s', (_what, headers, isAccepted) => {
  const secret = readSessionSecret({ ...headers, cookie: `${NAME}=${SECRET}` }, NAME);
  expect(secret?.reveal()).toBe(isAccepted ? SECRET : undefined);
});
