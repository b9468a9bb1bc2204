// All headers except those that define the body length, see `framing`.

import fc from 'fast-check';
import { basic } from '../credentials.ts';
import { address, unusualText } from './values.ts';

export type Header = readonly [name: string, value: string];

/** Header values may contain every byte except control characters. */
const latin1 = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
    maxLength: 40,
  })
  .map(bytes => String.fromCharCode(...bytes));

const asUtf8Bytes = (text: string) => Buffer.from(text).toString('latin1');

const malformedAuthorization = fc.oneof(
  fc.constantFrom(
    ...['', 'Basic', 'Basic ', 'Basic =', 'Basic Og==', 'Basic YTo=', 'Basic OmE=', 'Basic YQ==', 'Basic /w=='],
    ...['Basic YTpi YTpi', 'Basic YTpi,', 'Bearer YTpi', 'Digest username="a"', 'YTpi', 'basic\tYTpi'],
    `Basic ${'A'.repeat(12_000)}`,
  ),
  latin1.map(text => `Basic ${text}`),
  latin1,
);

/** Rare, because each wrong password costs a hash. */
const wrongAuthorization = fc
  .tuple(unusualText, unusualText)
  .map(([user, password]) => basic(`${user}:${password}`.replaceAll('\0', '')));

/** The first credentials are used most. */
export const authorization = ([first = '', ...others]: readonly string[]): fc.Arbitrary<readonly Header[]> =>
  fc
    .oneof(
      { weight: 14, arbitrary: fc.constant(basic(first)) },
      { weight: 6, arbitrary: fc.constantFrom(...others).map(basic) },
      { weight: 2, arbitrary: malformedAuthorization },
      { weight: 1, arbitrary: wrongAuthorization },
      { weight: 1, arbitrary: fc.constant(undefined) },
    )
    .map(value => (value === undefined ? [] : [['Authorization', value]]));

const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  Accept: ['*/*', 'text/html', 'application/xml;q=0', ';;;'],
  'Accept-Charset': ['utf-16', '*;q=0'],
  'Accept-Encoding': ['gzip, br', 'identity;q=0, *;q=0', 'unknown'],
  Connection: ['keep-alive', 'close', 'Upgrade', 'upgrade, http2-settings', 'Authorization', ','],
  'Content-Encoding': ['gzip', 'br', 'deflate', 'identity', 'unknown', 'gzip, gzip', ''],
  'Content-Type': [
    ...['application/json; charset=utf-16', 'application/json; charset=latin1', 'application/json;charset="', ''],
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application', '/'],
    ...['application/json, text/plain', 'application/problem+json', 'APPLICATION/JSON ; a=b; a=c', '; charset=x'],
  ],
  Cookie: [
    ...['a=b; c', '=', ';;;', 'hostler-session', 'hostler-session=', '__Host-hostler-session=x; hostler-session=y'],
    ...[`hostler-session=hss_${'x'.repeat(43)}`, 'hostler-session=;'.repeat(500)],
  ],
  Date: ['yesterday'],
  Expect: ['100-continue', '100-Continue, x', '200-ok', ''],
  Forwarded: ['for="[::1]:1";proto=https', 'for=_x'],
  'Hostler-Dashboard': ['1', '0', '', '1, 1'],
  Host: ['', 'x', 'x:y', '[::1', 'a b', 'http://x', 'x, y'],
  'If-Match': ['*', '"x"', 'W/"x"', '"', '"a", "b"', ',', '""', `"${'x'.repeat(9000)}"`, '"*"', '* , "x"'],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'never'],
  'If-None-Match': ['*', '"x"'],
  Range: ['bytes=0-1', 'bytes=5-1', 'bytes=-1,-1', 'lines=1'],
  'Sec-Fetch-Site': ['same-origin', 'cross-site', 'none', ''],
  TE: ['trailers', 'gzip'],
  Upgrade: ['websocket', 'h2c', 'TLS/1.0', 'HTTP/2.0, x'],
  'X-Forwarded-For': ['127.0.0.9', '127.0.0.9, 127.0.0.1', '::1', 'unknown', ',', '127.0.0.9:80', '[::1]:80', '%'],
  'X-Forwarded-Host': ['x', ''],
  'X-Forwarded-Proto': ['https', 'x'],
  'X-HTTP-Method-Override': ['DELETE', 'GET', 'x'],
  'X-Request-Id': ['mine', ''],
};

const knownHeader = fc
  .constantFrom(...Object.entries(HEADER_VALUES))
  .chain(([header, values]) =>
    fc
      .oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: latin1 })
      .map((value): Header => [header, value]),
  );

const unknownHeader = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}$/), latin1)
  .filter(([header]) => !/^(content-length|transfer-encoding)$/i.test(header))
  .map(([header, value]): Header => [`X-${header}`, value]);

const malformedHeader = fc.constantFrom<Header>(
  ['Bad Name', 'x'],
  ['', 'x'],
  ['X-Nul', 'a\0b'],
  ['X-Folded', 'a\r\n b'],
  ['X-Bare', 'a\nb'],
  ['X-Return', 'a\rb'],
  ['\xff', 'x'],
  ['X-Long', 'x'.repeat(17_000)],
  ['X-Many', `x${'\r\na:'.repeat(3000)}`],
);

const forwardedFor = fc
  .array(
    fc.oneof(
      address,
      unusualText.map(text => asUtf8Bytes(text.replace(/\p{Cc}/gu, ''))),
    ),
    { maxLength: 5 },
  )
  .map((list): Header => ['X-Forwarded-For', list.join(', ')]);

export const headers: fc.Arbitrary<readonly Header[]> = fc.array(
  fc.oneof(
    { weight: 40, arbitrary: knownHeader },
    { weight: 8, arbitrary: unknownHeader },
    { weight: 6, arbitrary: forwardedFor },
    { weight: 1, arbitrary: malformedHeader },
  ),
  { maxLength: 3 },
);
