// HTTP below what a client library would send.

import { expect, test } from 'vitest';
import { expectGood } from '../harness/http/expect-good.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, basic } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

/** Sends it as it is, and answers the statuses of all that comes back until the service closes the connection. */
async function send(service: TestService, text: string): Promise<number[]> {
  const connection = new RawConnection(service.url);
  connection.write(text);
  const answers = await connection.answers();
  for (const answer of answers) expectGood(answer);
  return answers.map(answer => answer.status);
}

onEachStore('HTTP as bytes', service => {
  const auth = `Authorization: ${basic(`admin:${ADMIN_PASSWORD}`)}`;

  test.each([
    ['not HTTP at all', 'hello\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'two lengths',
      'PUT /api/v0/network/n HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    [
      'a length and chunks',
      'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('%s is answered by a problem document, and the connection is closed', async (_what, text, status) => {
    expect(await send(service(), text)).toEqual([status]);
  });

  test.each([
    ['without Host', 'GET /healthz HTTP/1.1', 400],
    ['without Host, in HTTP/1.0', 'GET /healthz HTTP/1.0', 200],
    ['with two of Host', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x', 400],
    ['with two of Host, for the dashboard', 'GET / HTTP/1.1\r\nHost: x\r\nhOsT: y', 400],
    ['that expects what nobody knows', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders', 200],
    ['for a whole URL', 'GET http://x/healthz HTTP/1.1\r\nHost: x', 200],
    ['for a whole URL with a fragment', 'GET http://x/healthz#x HTTP/1.1\r\nHost: x', 200],
    ['for a URL without a path', 'GET http://x HTTP/1.1\r\nHost: x', 200],
    ['for no path', 'GET * HTTP/1.1\r\nHost: x', 401],
    ['with the same credentials twice', `GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n${auth}\r\n${auth}`, 400],
    [
      'with two credentials, the right ones first',
      `GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n${auth}\r\nauthorization: Basic eDp5`,
      400,
    ],
  ])('a request %s is answered: %j by %i', async (_what, head, status) => {
    expect(await send(service(), `${head}\r\nConnection: close\r\n\r\n`)).toEqual([status]);
  });

  /** What another program on the way may read otherwise than we do: none of it is taken for two requests, or for another one. */
  const hidden = 'GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n\r\n';
  const chunked = 'Transfer-Encoding: chunked';
  test.each([
    ['a length with a sign', 'Content-Length: +2', `{}${hidden}`],
    ['a list of lengths', 'Content-Length: 2, 2', `{}${hidden}`],
    ['a hexadecimal length', 'Content-Length: 0x2', `{}${hidden}`],
    ['a coding that nobody knows', 'Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`],
    ['chunks that are not the last coding', 'Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`],
    ['chunks named twice', `${chunked}\r\n${chunked}`, `0\r\n\r\n${hidden}`],
    ['a space before the colon', 'Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`],
    ['a line that goes on in the next', 'Transfer-Encoding:\r\n chunked', `0\r\n\r\n${hidden}`],
    ['an end of a line without its return', `X-A: b\n${chunked}`, `0\r\n\r\n${hidden}`],
    ['a return without an end of a line', `X-A: b\r${chunked}`, `0\r\n\r\n${hidden}`],
    ['chunks with bare ends of lines', chunked, `2\n{}\n0\n\n${hidden}`],
    ['an extension of a chunk with a bare end', chunked, `2;a\n{}\r\n0\r\n\r\n${hidden}`],
    ['the length of a chunk with a prefix', chunked, `0x2\r\n{}\r\n0\r\n\r\n${hidden}`],
    ['the length of a chunk beyond all numbers', chunked, `10000000000000002\r\n{}\r\n0\r\n\r\n${hidden}`],
    ['more in a chunk than it says', chunked, `1\r\n{}\r\n0\r\n\r\n${hidden}`],
  ])('%s ends the connection by one refusal', async (_what, header, rest) => {
    const head = `PUT /api/v0/network/hidden HTTP/1.1\r\nHost: x\r\n${auth}\r\n${header}\r\n\r\n`;
    expect(await send(service(), head + rest)).toEqual([400]);
  });

  test('a body that was compressed, or framed in a way that is not ours, is refused and not taken as it stands', async () => {
    const body = '{"type":"none","options":{}}';
    const refused = async (header: string, raw: string, version = '1.1') => {
      const head = `PUT /api/v0/network/coded HTTP/${version}\r\nHost: x\r\nConnection: close\r\n${auth}\r\n${header}`;
      return send(service(), `${head}\r\n\r\n${raw}`);
    };
    const chunks = `1c\r\n${body}\r\n0\r\n\r\n`;
    expect(await refused('Content-Encoding: gzip\r\nContent-Length: 28', body)).toEqual([415]);
    expect(await refused('Transfer-Encoding: gzip, chunked', chunks)).toEqual([400]);
    expect(await refused(chunked, chunks, '1.0')).toEqual([400]);
    expect((await service().get('/api/v0/network/coded')).status).toBe(404);
    expect(await refused('Content-Encoding: identity\r\nContent-Length: 28', body)).toEqual([201]);
  });

  test('what stands behind a request is refused after that was answered', async () => {
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
    ['a request and another that waits', put('a-2') + get('a-2'), [201, 200]],
    ['several', put('a-3') + get('a-3') + put('a-4') + get('a-4'), [201, 200, 201, 200]],
  ])(
    'a body that is not HTTP behind %s is refused after all of them, and stores nothing',
    async (_what, text, statuses) => {
      expect(await send(service(), text + broken)).toEqual([...statuses, 400]);
      expect((await service().get('/api/v0/network/never')).status).toBe(404);
    },
  );

  test('requests that are sent at once are served in their order, each after what the one before did', async () => {
    const connection = new RawConnection(service().url);
    const names = Array.from({ length: 40 }, (_, index) => `o-${index}`);
    connection.write(names.map(name => put(name) + get(name)).join(''));
    for (const _ of names) {
      expect([(await connection.answer())?.status, (await connection.answer())?.status]).toEqual([201, 200]);
    }
    // And the connection goes on.
    connection.write(get('o-1'));
    expect((await connection.answer())?.status).toBe(200);
    connection.close();
  });

  test('a request for another protocol is answered in this one, and the connection is closed', async () => {
    const upgrade = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    expect(await send(service(), `${upgrade}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)).toEqual([200]);
  });
});

onEachStore(
  'a client that is too slow',
  service => {
    test('is told so and cut off', async () => {
      expect(await send(service(), 'GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\n')).toEqual([408]);
    });
  },
  { HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '1' },
);
