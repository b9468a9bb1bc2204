// GET /api/v0/resolve, with names that only these tests know.

import { expect, test } from 'vitest';
import { describeServerOnSqlite } from '../harness/stores/describe-server.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'edge-1.example.com': ['2001:db8::8', '192.0.2.10', '192.0.2.9', '::ffff:192.0.2.9', 'fe80::1%eth0'],
  empty: [],
};

const lookups: string[] = [];

async function lookup(name: string): Promise<readonly string[]> {
  lookups.push(name);
  if (name === 'broken') throw Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' });
  const found = NAMES[name];
  if (found === undefined) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  return found;
}

describeServerOnSqlite(
  'GET /api/v0/resolve',
  service => {
    const resolve = (name: string, as = 'admin:correct horse') =>
      service().get(`/api/v0/resolve?name=${encodeURIComponent(name)}`, { as });

    test('returns the addresses of a name, sorted and without duplicates', async () => {
      const { status, body } = await resolve('edge-1.example.com');
      expect(status).toBe(200);
      expect(body).toEqual({ name: 'edge-1.example.com', addresses: ['192.0.2.9', '192.0.2.10', '2001:db8::8'] });
    });

    test.each([
      ['unknown.example.com', 'unknown.example.com has no address'],
      ['empty', 'empty has no address'],
    ])('returns 404 for the name %s', async (name, detail) => {
      const { status, body } = await resolve(name);
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'unresolved_name', detail });
    });

    test.each(['', 'a b', '-f', 'a'.repeat(254), 'evil\u0000', 'http://a', '127.1', '2130706433', '0x7f000001', '::1'])(
      'rejects the name %j without a lookup',
      async name => {
        const before = lookups.length;
        const { status, body } = await resolve(name);
        expect(status).toBe(400);
        expect(body).toMatchObject({ code: 'invalid_query' });
        expect(lookups).toHaveLength(before);
      },
    );

    test('returns 503 if the DNS server fails', async () => {
      const { status, headers, body } = await resolve('broken');
      expect(status).toBe(503);
      expect(body).toMatchObject({ code: 'dns_unavailable', detail: 'broken cannot be resolved (EAI_AGAIN)' });
      expect(headers.get('retry-after')).toBe('5');
    });

    test('limits each account to 60 names in a minute', async () => {
      const [first, second] = [
        await service().makeAccount('otto', 'operator'),
        await service().makeAccount('olga', 'operator'),
      ];
      // An account gets a new name each second, so a busy machine needs more than 61 requests.
      let requests = 1;
      let limited = await resolve('empty', first);
      for (; limited.status === 404; requests += 1) limited = await resolve('empty', first);
      expect(requests).toBeGreaterThan(60);
      const { status, headers, body } = limited;
      expect(status).toBe(429);
      expect(body).toMatchObject({ code: 'too_many_requests' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await resolve('empty', second)).status).toBe(404);
    });
  },
  {},
  { lookup },
);
