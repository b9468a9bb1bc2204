// Parsers of requests from anonymous clients and from accounts.

import fc from 'fast-check';
import { parseAddress, parseUrlAddress } from '../../src/domain/addresses/address.ts';
import { parseCidr } from '../../src/domain/addresses/cidr.ts';
import { isPublicAddress } from '../../src/domain/addresses/public-address.ts';
import { validateServiceUrl, validateWebhookUrl } from '../../src/domain/addresses/url-validation.ts';
import { AppError } from '../../src/domain/errors.ts';
import { hostKeyFingerprint, isHostKey, stripKeyComment } from '../../src/domain/hosts/host-key.ts';
import { Secret } from '../../src/domain/secret.ts';
import { parseRetryAfter } from '../../src/domain/webhooks/webhook-message.ts';
import { validatePrivateKey } from '../../src/drivers/transport/ssh/ssh-keys.ts';
import { acceptsEncoding } from '../../src/http/dashboard/dashboard-files.ts';
import { matchDashboardPath } from '../../src/http/dashboard/serve-dashboard.ts';
import { parseBasicAuth, readSessionCookie } from '../../src/http/requests/credential-headers.ts';
import { parseIfMatch, readIdempotencyKey, readLastEventId, toEtag } from '../../src/http/requests/request-headers.ts';
import { allowedMethods, normalizeTarget } from '../../src/http/requests/request-target.ts';
import { nextLink } from '../../src/http/responses/pagination.ts';
import { toSshKeyText } from '../../src/lib/ssh-encoding.ts';
import { shellQuote } from '../../src/lib/text.ts';
import { basic, HOST_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import type { Parser } from './parser.ts';
import { assertThat, mutatedText, parser, requireVisible } from './parser.ts';

const SESSION = `hostler-session=hss_${'a'.repeat(43)}`;
/** Removes the characters that Node rejects in a header or a target. */
const inHead = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');

const headParsers: readonly Parser[] = [
  parser(
    'HTTP Basic',
    'src/http/requests/credential-headers.ts',
    mutatedText('Basic YTpi', basic('admin:päss:word')),
    text => {
      const found = parseBasicAuth(new Secret(text));
      if (found === undefined) return;
      const again = parseBasicAuth(new Secret(basic(`${found.name}:${found.password.reveal()}`)));
      assertThat(!found.name.includes(':') && found.name !== '', 'the name has no colon');
      assertThat(again?.name === found.name && again.password.equals(found.password), 'the credentials round-trip');
    },
  ),
  parser(
    'a session among cookies',
    'src/http/requests/credential-headers.ts',
    mutatedText(SESSION, `a=b; ${SESSION}; c`),
    text => {
      const found = readSessionCookie(text, 'hostler-session');
      assertThat(found === undefined || /^hss_[\w-]{43}$/.test(found.reveal()), 'the secret has the session format');
    },
  ),
  parser(
    'the target of a request',
    'src/http/requests/request-target.ts',
    mutatedText('/api/v0/host/%3A%3A1?a=%', 'http://x/y', '*'),
    text => {
      const path = normalizeTarget(text).split('?')[0] ?? '';
      assertThat(path.startsWith('/'), 'the target is a path');
      decodeURIComponent(path);
    },
  ),
  parser(
    'a path of the dashboard',
    'src/http/dashboard/serve-dashboard.ts',
    mutatedText('/assets/a.js', '/hosts', '/api/'),
    text => {
      matchDashboardPath(text);
      allowedMethods(text);
    },
  ),
  parser('If-Match', 'src/http/requests/request-headers.ts', mutatedText('"a", W/"b"', '*', '"'), text => {
    const found = parseIfMatch(text);
    if (!Array.isArray(found)) return;
    for (const revision of found) assertThat(parseIfMatch(toEtag(revision))?.[0] === revision, 'the tag round-trips');
  }),
  parser('Idempotency-Key', 'src/http/requests/request-headers.ts', mutatedText('key-1'), text => {
    const key = readIdempotencyKey({ 'idempotency-key': text });
    assertThat(key instanceof AppError || key === text, 'the key is accepted unchanged or rejected');
    if (typeof key === 'string') requireVisible(key);
  }),
  parser('Last-Event-ID', 'src/http/requests/request-headers.ts', mutatedText('12345'), text => {
    const id = readLastEventId({ 'last-event-id': text });
    assertThat(id instanceof AppError || (Number.isSafeInteger(id) && Number(id) >= 0), 'the ID is a number');
  }),
  parser('Accept-Encoding', 'src/http/dashboard/dashboard-files.ts', mutatedText('br;q=0, gzip, *'), text => {
    acceptsEncoding(text, 'br');
  }),
  parser(
    'the link to the next page',
    'src/http/responses/pagination.ts',
    mutatedText('/api/v0/hosts?limit=1&q=%0d%0a', '/x?after=%'),
    text => {
      requireVisible(
        nextLink(inHead(normalizeTarget(text)).replaceAll('\t', ''), text).replace(/[\x80-\x9f\xad]/g, ''),
      );
    },
  ),
];

const accountParsers: readonly Parser[] = [
  parser(
    'an address',
    'src/domain/addresses/address.ts',
    mutatedText('127.0.0.1', '::ffff:10.0.0.1', 'fe80::1'),
    text => {
      const address = parseAddress(text);
      isPublicAddress(text);
      assertThat(address === undefined || parseAddress(address) === address, 'the result is canonical');
    },
  ),
  parser('a network', 'src/domain/addresses/cidr.ts', mutatedText('10.0.0.0/8', '2001:db8::/32'), text => {
    const range = parseCidr(text);
    assertThat(typeof range !== 'string' || parseCidr(range) === range, 'the result is canonical');
  }),
  parser(
    'the URL of a webhook',
    'src/domain/addresses/url-validation.ts',
    mutatedText('https://hook.example/x?t=1', 'http://127.1/', 'http://[::1]'),
    text => {
      if (validateWebhookUrl(text, false) !== undefined) return;
      const literal = parseUrlAddress(new URL(text));
      assertThat(literal === undefined || isPublicAddress(literal), 'the URL has no private address');
    },
  ),
  parser(
    'the URL of the service, in user-data',
    'src/domain/addresses/url-validation.ts',
    mutatedText('https://hostler.example:8000/x'),
    text => {
      if (validateServiceUrl(text) === undefined) requireVisible(text);
      if (text.includes('\0')) return;
      const inside = shellQuote(text).slice(1, -1);
      assertThat(inside.replaceAll("'\\''", "'") === text, 'a shell reads the same text');
      assertThat(!inside.replaceAll("'\\''", '').includes("'"), 'nothing ends the word early');
    },
  ),
  parser('a host key', 'src/domain/hosts/host-key.ts', mutatedText(HOST_KEY, `${HOST_KEY} root@host`), line => {
    if (!isHostKey(line)) return;
    assertThat(/^SHA256:[A-Za-z0-9+/]{43}$/.test(hostKeyFingerprint(line)), 'the key has a fingerprint');
    assertThat(isHostKey(stripKeyComment(line)), 'the key is valid without its comment');
    assertThat(!/[\p{Cc}]/u.test(line), 'the key is one line');
  }),
  parser(
    'a private key',
    'src/drivers/transport/ssh/ssh-keys.ts',
    fc.oneof(
      mutatedText(PRIVATE_KEY),
      mutatedText(atob(PRIVATE_KEY)).map(text => Buffer.from(text).toString('base64')),
    ),
    base64 => {
      const problem = validatePrivateKey(base64);
      requireVisible(problem);
      if (problem === undefined) toSshKeyText(base64);
    },
    30,
  ),
  parser(
    'Retry-After of a receiver',
    'src/domain/webhooks/webhook-message.ts',
    mutatedText('120', 'Tue, 01 Jan 2030 00:01:00 GMT'),
    text => {
      const ms = parseRetryAfter(text, 0);
      assertThat(ms === undefined || (Number.isFinite(ms) && ms >= 0), 'the delay is valid');
    },
  ),
];

export const requestParsers: readonly Parser[] = [...headParsers, ...accountParsers];
