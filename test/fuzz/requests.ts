// What anybody on the network, and whoever has an account, sends.

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
import {
  parseIfMatch,
  readIdempotencyKey,
  readLastEventId,
  toEtag,
} from '../../src/http/requests/request-headers.ts';
import { allowedMethods, normalizeTarget } from '../../src/http/requests/request-target.ts';
import { nextLink } from '../../src/http/responses/pagination.ts';
import { toSshKeyText } from '../../src/lib/ssh-encoding.ts';
import { shellQuote } from '../../src/lib/text.ts';
import { HOST_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { basic } from '../harness/service.ts';
import type { Parser } from './parser.ts';
import { near, parser, require, requireSeen } from './parser.ts';

const SESSION = `hostler-session=hss_${'a'.repeat(43)}`;
/** What Node lets through in a header or a target. */
const inHead = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');

const ofHead: readonly Parser[] = [
  parser(
    'HTTP Basic',
    'src/http/requests/credential-headers.ts',
    near('Basic YTpi', basic('admin:päss:word')),
    text => {
      const found = parseBasicAuth(new Secret(text));
      if (found === undefined) return;
      const again = parseBasicAuth(new Secret(basic(`${found.name}:${found.password.reveal()}`)));
      require(!found.name.includes(':') && found.name !== '', 'there is a name without a colon');
      require(again?.name === found.name && again.password.equals(found.password), 'it is the same again');
    },
  ),
  parser(
    'a session among cookies',
    'src/http/requests/credential-headers.ts',
    near(SESSION, `a=b; ${SESSION}; c`),
    text => {
      const found = readSessionCookie(text, 'hostler-session');
      require(found === undefined || /^hss_[\w-]{43}$/.test(found.reveal()), 'it is a secret of ours');
    },
  ),
  parser(
    'the target of a request',
    'src/http/requests/request-target.ts',
    near('/api/v0/host/%3A%3A1?a=%', 'http://x/y', '*'),
    text => {
      const path = normalizeTarget(text).split('?')[0] ?? '';
      require(path.startsWith('/'), 'it is a path');
      decodeURIComponent(path);
    },
  ),
  parser(
    'a path of the dashboard',
    'src/http/dashboard/serve-dashboard.ts',
    near('/assets/a.js', '/hosts', '/api/'),
    text => {
      matchDashboardPath(text);
      allowedMethods(text);
    },
  ),
  parser('If-Match', 'src/http/requests/request-headers.ts', near('"a", W/"b"', '*', '"'), text => {
    const found = parseIfMatch(text);
    if (!Array.isArray(found)) return;
    for (const revision of found)
      require(parseIfMatch(toEtag(revision))?.[0] === revision, 'a tag is itself again');
  }),
  parser('Idempotency-Key', 'src/http/requests/request-headers.ts', near('key-1'), text => {
    const key = readIdempotencyKey({ 'idempotency-key': text });
    require(key instanceof AppError || key === text, 'it is taken as it is, or not at all');
    if (typeof key === 'string') requireSeen(key);
  }),
  parser('Last-Event-ID', 'src/http/requests/request-headers.ts', near('12345'), text => {
    const id = readLastEventId({ 'last-event-id': text });
    require(id instanceof AppError || (Number.isSafeInteger(id) && Number(id) >= 0), 'it is a number');
  }),
  parser('Accept-Encoding', 'src/http/dashboard/dashboard-files.ts', near('br;q=0, gzip, *'), text => {
    acceptsEncoding(text, 'br');
  }),
  parser(
    'the link to the next page',
    'src/http/responses/pagination.ts',
    near('/api/v0/hosts?limit=1&q=%0d%0a', '/x?after=%'),
    text => {
      requireSeen(
        nextLink(inHead(normalizeTarget(text)).replaceAll('\t', ''), text).replace(/[\x80-\x9f\xad]/g, ''),
      );
    },
  ),
];

const ofAccounts: readonly Parser[] = [
  parser(
    'an address',
    'src/domain/addresses/address.ts',
    near('127.0.0.1', '::ffff:10.0.0.1', 'fe80::1'),
    text => {
      const address = parseAddress(text);
      isPublicAddress(text);
      require(address === undefined || parseAddress(address) === address, 'it is canonical');
    },
  ),
  parser('a network', 'src/domain/addresses/cidr.ts', near('10.0.0.0/8', '2001:db8::/32'), text => {
    const range = parseCidr(text);
    require(typeof range !== 'string' || parseCidr(range) === range, 'it is canonical');
  }),
  parser(
    'the URL of a webhook',
    'src/domain/addresses/url-validation.ts',
    near('https://hook.example/x?t=1', 'http://127.1/', 'http://[::1]'),
    text => {
      if (validateWebhookUrl(text, false) !== undefined) return;
      const literal = parseUrlAddress(new URL(text));
      require(literal === undefined || isPublicAddress(literal), 'it does not lead to a private address');
    },
  ),
  parser(
    'the URL of the service, in user-data',
    'src/domain/addresses/url-validation.ts',
    near('https://hostler.example:8000/x'),
    text => {
      if (validateServiceUrl(text) === undefined) requireSeen(text);
      if (text.includes('\0')) return;
      const inside = shellQuote(text).slice(1, -1);
      require(inside.replaceAll("'\\''", "'") === text, 'a shell reads the same');
      require(!inside.replaceAll("'\\''", '').includes("'"), 'nothing ends the word early');
    },
  ),
  parser('a host key', 'src/domain/hosts/host-key.ts', near(HOST_KEY, `${HOST_KEY} root@host`), line => {
    if (!isHostKey(line)) return;
    require(/^SHA256:[A-Za-z0-9+/]{43}$/.test(hostKeyFingerprint(line)), 'it has a fingerprint');
    require(isHostKey(stripKeyComment(line)), 'it is one without its comment');
    require(!/[\p{Cc}]/u.test(line), 'it is one line');
  }),
  parser(
    'a private key',
    'src/drivers/transport/ssh/ssh-keys.ts',
    fc.oneof(
      near(PRIVATE_KEY),
      near(atob(PRIVATE_KEY)).map(text => Buffer.from(text).toString('base64')),
    ),
    base64 => {
      const problem = validatePrivateKey(base64);
      requireSeen(problem);
      if (problem === undefined) toSshKeyText(base64);
    },
    30,
  ),
  parser(
    'Retry-After of a receiver',
    'src/domain/webhooks/webhook-message.ts',
    near('120', 'Tue, 01 Jan 2030 00:01:00 GMT'),
    text => {
      const ms = parseRetryAfter(text, 0);
      require(ms === undefined || (Number.isFinite(ms) && ms >= 0), 'it is a time to wait');
    },
  ),
];

export const requestParsers: readonly Parser[] = [...ofHead, ...ofAccounts];
