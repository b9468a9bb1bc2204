import { describe, expect, test } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { parseBasicAuth } from './basic-auth.ts';

const encode = (text: string | Buffer) => Buffer.from(text).toString('base64');
const read = (header: string) => {
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
    expect(read(header)).toEqual(credentials);
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
    expect(read(header)).toBeUndefined();
  });

  test('gives the password as a secret', () => {
    expect(JSON.stringify(parseBasicAuth(new Secret(`Basic ${encode('admin:secret')}`)))).not.toContain(
      '"secret"',
    );
  });
});
