// Sends raw HTTP that client libraries would not send.

import { expect, test } from 'vitest';
import { ADMIN_PASSWORD, basic } from '../harness/credentials.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { expectValidResponse } from '../harness/http/raw-requests.ts';
import type { TestService } from '../harness/service.ts';
import { describeServerOnSqlite } from '../harness/stores/describe-server.ts';

/** Sends the text and returns the statuses of all responses until the server closes the connection. */
async function send(service: TestService, text: string): Promise<number[]> {
  const connection = new RawConnection(service.url);
  connection.write(text);
  const responses = await connection.allResponses();
  for (const response of responses) expectValidResponse(response);
  return responses.map(response => response.status);
}

describeServerOnSqlite('raw HTTP', service => {
  const auth = `Authorization: ${basic(`admin:${ADMIN_PASSWORD}`)}`;

  test.each([
    ['a request that is not HTTP', 'hello\r\n\r\n', 400],
    ['headers over the size limit', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'two Content-Length headers',
      'PUT /api/v0/network/n HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    [
      'Content-Length with chunked encoding',
      'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('responds to %s with a problem document and closes the connection', async (_case, text, status) => {
    expect(await send(service(), text)).toEqual([status]);
  });

  test.each([
    ['without Host', 'GET /healthz HTTP/1.1', 400],
    ['without Host, in HTTP/1.0', 'GET /healthz HTTP/1.0', 200],
    ['with two Host headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x', 400],
    ['with two Host headers, for the dashboard', 'GET / HTTP/1.1\r\nHost: x\r\nhOsT: y', 400],
    ['with an unknown Expect header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: unknown', 200],
    ['for an absolute URL', 'GET http://x/healthz HTTP/1.1\r\nHost: x', 200],
    ['for an absolute URL with a fragment', 'GET http://x/healthz#x HTTP/1.1\r\nHost: x', 200],
    ['for a URL without a path', 'GET http://x HTTP/1.1\r\nHost: x', 200],
    ['for the target *', 'GET * HTTP/1.1\r\nHost: x', 401],
    ['with duplicate credentials', `GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n${auth}\r\n${auth}`, 400],
    [
      'with two credentials, the correct one first',
      `GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n${auth}\r\nauthorization: Basic eDp5`,
      400,
    ],
  ])('responds to a request %s: %j returns %i', async (_case, head, status) => {
    expect(await send(service(), `${head}\r\nConnection: close\r\n\r\n`)).toEqual([status]);
  });

  /** A request hidden behind ambiguous framing (request smuggling). The server must never parse it. */
  const smuggled = 'GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n\r\n';
  const chunked = 'Transfer-Encoding: chunked';
  test.each([
    ['a length with a sign', 'Content-Length: +2', `{}${smuggled}`],
    ['a list of lengths', 'Content-Length: 2, 2', `{}${smuggled}`],
    ['a hexadecimal length', 'Content-Length: 0x2', `{}${smuggled}`],
    ['an unknown transfer coding', 'Transfer-Encoding: xchunked', `0\r\n\r\n${smuggled}`],
    ['chunked as not the last coding', 'Transfer-Encoding: chunked, identity', `0\r\n\r\n${smuggled}`],
    ['two chunked headers', `${chunked}\r\n${chunked}`, `0\r\n\r\n${smuggled}`],
    ['a space before the colon', 'Transfer-Encoding : chunked', `0\r\n\r\n${smuggled}`],
    ['a folded header line', 'Transfer-Encoding:\r\n chunked', `0\r\n\r\n${smuggled}`],
    ['a header line that ends with LF only', `X-A: b\n${chunked}`, `0\r\n\r\n${smuggled}`],
    ['a header line that ends with CR only', `X-A: b\r${chunked}`, `0\r\n\r\n${smuggled}`],
    ['chunks that end with LF only', chunked, `2\n{}\n0\n\n${smuggled}`],
    ['a chunk extension that ends with LF only', chunked, `2;a\n{}\r\n0\r\n\r\n${smuggled}`],
    ['a chunk length with a prefix', chunked, `0x2\r\n{}\r\n0\r\n\r\n${smuggled}`],
    ['a chunk length that overflows', chunked, `10000000000000002\r\n{}\r\n0\r\n\r\n${smuggled}`],
    ['a chunk longer than its length', chunked, `1\r\n{}\r\n0\r\n\r\n${smuggled}`],
  ])('rejects %s once and closes the connection', async (_case, header, rest) => {
    const head = `PUT /api/v0/network/hidden HTTP/1.1\r\nHost: x\r\n${auth}\r\n${header}\r\n\r\n`;
    expect(await send(service(), head + rest)).toEqual([400]);
  });

  test('rejects compressed bodies and unsupported transfer codings', async () => {
    const body = '{"type":"none","options":{}}';
    const putNetwork = async (header: string, raw: string, version = '1.1') => {
      const head = `PUT /api/v0/network/coded HTTP/${version}\r\nHost: x\r\nConnection: close\r\n${auth}\r\n${header}`;
      return send(service(), `${head}\r\n\r\n${raw}`);
    };
    const chunks = `1c\r\n${body}\r\n0\r\n\r\n`;
    expect(await putNetwork('Content-Encoding: gzip\r\nContent-Length: 28', body)).toEqual([415]);
    expect(await putNetwork('Transfer-Encoding: gzip, chunked', chunks)).toEqual([400]);
    expect(await putNetwork(chunked, chunks, '1.0')).toEqual([400]);
    expect((await service().get('/api/v0/network/coded')).status).toBe(404);
    expect(await putNetwork('Content-Encoding: identity\r\nContent-Length: 28', body)).toEqual([201]);
  });

  test('rejects bytes after a request, after the response to that request', async () => {
    const body = '{"type":"none","options":{}}';
    const head = `PUT /api/v0/network/first HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(`admin:${ADMIN_PASSWORD}`)}`;
    const request = `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await send(service(), `${request}more`)).toEqual([201, 400]);
  });

  const put = (name: string) =>
    `PUT /api/v0/network/${name} HTTP/1.1\r\nHost: x\r\n${auth}\r\nContent-Length: 28\r\n\r\n{"type":"none","options":{}}`;
  const get = (name: string) => `GET /api/v0/network/${name} HTTP/1.1\r\nHost: x\r\n${auth}\r\n\r\n`;
  const broken = `PUT /api/v0/network/never HTTP/1.1\r\nHost: x\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n`;

  test.each([
    ['a request', put('a-1'), [201]],
    ['a request and a pipelined request', put('a-2') + get('a-2'), [201, 200]],
    ['several pipelined requests', put('a-3') + get('a-3') + put('a-4') + get('a-4'), [201, 200, 201, 200]],
  ])('rejects a malformed body after %s and stores nothing', async (_case, text, statuses) => {
    expect(await send(service(), text + broken)).toEqual([...statuses, 400]);
    expect((await service().get('/api/v0/network/never')).status).toBe(404);
  });

  test('serves pipelined requests in order, one after the other', async () => {
    const connection = new RawConnection(service().url);
    const names = Array.from({ length: 40 }, (_, index) => `o-${index}`);
    connection.write(names.map(name => put(name) + get(name)).join(''));
    for (const _ of names) {
      expect([(await connection.nextResponse())?.status, (await connection.nextResponse())?.status]).toEqual([
        201, 200,
      ]);
    }
    connection.write(get('o-1'));
    expect((await connection.nextResponse())?.status).toBe(200);
    connection.close();
  });

  test('ignores Upgrade, responds with HTTP/1.1 and closes the connection', async () => {
    const upgrade = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    expect(await send(service(), `${upgrade}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)).toEqual([200]);
  });
});

describeServerOnSqlite(
  'a slow request',
  service => {
    test('returns 408 and closes the connection', async () => {
      expect(await send(service(), 'GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n')).toEqual([408]);
    });
  },
  { HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '1' },
);
