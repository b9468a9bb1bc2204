// Whatever is sent, the service answers it, and never with a failure of its own.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routes } from '../../src/contract/index.ts';
import { PRIVATE_KEY } from '../harness/keys.ts';
import { onEachStore } from '../harness/on-each-store.ts';

const RUNS = 300;

const paths = Object.values(routes).map(row => row.path);
const segment = fc.oneof(
  fc.constantFrom('a', 'default', '127.0.0.1', '::1', '%', '%00', '%2e%2e', '..', '%F0%9F%92%A9', '\u00e4'),
  fc.string({ maxLength: 20 }).map(encodeURIComponent),
);
const path = fc
  .tuple(fc.constantFrom(...paths, '/api/v0/nothing/{name}'), segment, segment)
  .map(([template, name, address]) =>
    encodeURI(template.replace('{name}', '§').replace('{address}', '¤'))
      .replace('%C2%A7', name)
      .replace('%C2%A4', address),
  );
const query = fc.option(
  fc.webQueryParameters().map(text => `?${text}`),
  { nil: '' },
);

const field = fc.constantFrom(
  'type',
  'options',
  'network',
  'old',
  'new',
  'ssh_priv_key',
  'password',
  'role',
  'cluster',
  'host',
);
const value = fc.oneof(
  fc.constantFrom('none', 'trivial', 'default', '127.0.0.1', '', PRIVATE_KEY, '\u0000', 'viewer', '(hidden)'),
  fc.jsonValue(),
);
const body = fc.oneof(
  fc.dictionary(field, value).map(object => JSON.stringify(object)),
  fc.json(),
  fc.string(),
  fc.uint8Array({ maxLength: 50 }),
);
const headers = fc.dictionary(
  fc.constantFrom('if-match', 'content-type', 'accept', 'x-forwarded-for', 'range', 'x-http-method-override'),
  fc.oneof(fc.constantFrom('*', 'application/json', '"x"', '127.0.0.1'), fc.stringMatching(/^[ -~]{0,30}$/)),
);

onEachStore(
  'arbitrary requests',
  service => {
    test('are answered, and never by a status of 500 or more', async () => {
      const request = fc.record({
        method: fc.constantFrom('GET', 'PUT', 'DELETE', 'POST', 'PATCH', 'HEAD', 'OPTIONS'),
        path,
        query,
        body,
        headers,
      });
      await fc.assert(
        fc.asyncProperty(request, async ({ method, path: to, query: search, body: raw, headers: sent }) => {
          const hasBody = method !== 'GET' && method !== 'HEAD';
          const answer = await service().request(method, to + search, {
            headers: sent,
            ...(hasBody && { raw }),
          });
          expect(answer.status).toBeLessThan(500);
        }),
        { numRuns: RUNS },
      );
    });
  },
  { HOSTLER_LIMIT_FAILED_LOGINS: '100000' },
);
