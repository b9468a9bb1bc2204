import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import type { FixtureRecord } from '../../../../test/conformance/host-source.ts';
import { hostSourceConforms } from '../../../../test/conformance/host-source.ts';
import { createCertificate } from '../../../../test/harness/certificates/certificates.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import { http } from './http.ts';

const HOST_URL = 'https://cmdb.example/hosts/{address}';

optionsConform(http, {
  good: [
    ['a URL', { url: HOST_URL }],
    ['an address in the query', { url: 'http://127.0.0.1:8080/find?ip={address}&as=json' }],
    [
      'all options',
      {
        url: 'https://[::1]:8443/{address}',
        headers: { 'X-Team': 'ops' },
        token_path: '/run/token',
        ...{ ca_path: '/ca', certificate_path: '/c', certificate_key_path: '/k' },
        fields: { os: '/os/name', cpus: '/cpu/count', memory: '', hostname: '/names/0' },
        ...{ memory_unit: 'MiB', space_unit: 'B' },
      },
    ],
  ],
  bad: [
    ['no URL', {}, ['/url']],
    ['a URL without the address', { url: 'https://cmdb.example/hosts' }, ['/url']],
    ['an address in the host name', { url: 'https://{address}/facts' }, ['/url']],
    ['an invalid port', { url: 'https://cmdb.example:99999/{address}' }, ['/url']],
    ['another scheme', { url: 'ftp://cmdb.example/{address}' }, ['/url']],
    ['a password in the URL', { url: 'https://me:secret@cmdb.example/{address}' }, ['/url']],
    ['a header with a newline', { url: HOST_URL, headers: { a: 'b\r\nc: d' } }, ['/headers/a']],
    ['a field that is not a JSON Pointer', { url: HOST_URL, fields: { cpus: 'cpus' } }, ['/fields/cpus']],
    ['an unknown field', { url: HOST_URL, fields: { rack: '/rack' } }, ['/fields/rack']],
    ['an unknown unit', { url: HOST_URL, memory_unit: 'GB' }, ['/memory_unit']],
    ['a key without its certificate', { url: HOST_URL, certificate_key_path: '/k' }, ['/certificate_path']],
  ],
});

const connections = new ConnectionPool();
const folder = mkdtempSync(path.join(tmpdir(), 'hostler-http-source-'));
afterAll(async () => {
  await connections.close();
  rmSync(folder, { recursive: true });
});

const open = (options: Readonly<Record<string, unknown>>) => http.open({ options, connections });
const listen = (server: ReturnType<typeof createServer>, port = 0) =>
  new Promise<number>(resolve =>
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

hostSourceConforms('http', async () => {
  let known: Readonly<Record<string, FixtureRecord>> = {};
  const INVALID_RECORD = { os: 5, cpus: 'eight', memory: [], space: {}, hostname: null };
  const server = createServer((request, response) => {
    const host = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    const record = known[host];
    response.statusCode = record ? 200 : 404;
    response.end(JSON.stringify(record === 'invalid' ? INVALID_RECORD : record));
  });
  const port = await listen(server);
  const close = async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  return {
    source: open({ url: `http://127.0.0.1:${port}/hosts/{address}` }),
    setRecords: async records => {
      known = records;
    },
    fail: close,
    recover: async () => void (await listen(server, port)),
    close,
  };
});

const [HOST, V6] = ['127.0.0.1' as Address, '::1' as Address];

describe('http host source', () => {
  let respond: (request: IncomingMessage) => { status?: number; body: string } = () => ({
    body: '{"cpus": 4}',
  });
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const { status = 200, body } = respond(request);
    response.writeHead(status).end(body);
  });
  const base = listen(server).then(port => `http://127.0.0.1:${port}`);
  afterEach(() => void requests.splice(0));
  afterAll(() => void server.close());

  test('requests each host by its address with the configured headers', async () => {
    const url = `${await base}/find/{address}?ip={address}&as=json`;
    await open({ url, headers: { 'x-team': 'ops' } }).read([HOST, V6]);
    expect(requests.map(request => request.url).sort()).toEqual([
      '/find/%3A%3A1?ip=%3A%3A1&as=json',
      '/find/127.0.0.1?ip=127.0.0.1&as=json',
    ]);
    expect(requests.map(({ headers }) => headers['x-team'])).toEqual(['ops', 'ops']);
  });

  test.each([
    [{ status: 500, body: '{}' }, /^http:\/\/127\.0\.0\.1:\d+ responded with 500 for 127\.0\.0\.1$/],
    [{ status: 302, body: '' }, /responded with 302/],
    [{ status: 403, body: '{"token":"hunter2"}' }, /responded with 403: .*token_path or headers/],
    [{ body: '<html>hunter2</html>' }, /did not return JSON/],
    [{ body: '[{"error":"hunter2"}]' }, /returned none of the facts for 127\.0\.0\.1/],
    [{ body: '{"error":"hunter2"}' }, /returned none of the facts/],
    [{ body: 'null' }, /returned none of the facts/],
  ])('rejects the response %j', async (response, message) => {
    respond = () => response;
    const reading = open({ url: `${await base}/{address}` }).read([HOST]);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.not.toThrow(/hunter2/);
  });

  test('returns the other hosts if the response for one host is an error', async () => {
    respond = ({ url }) => (url === '/127.0.0.1' ? { status: 500, body: 'hunter2' } : { body: '{"cpus": 4}' });
    const results = await open({ url: `${await base}/{address}` }).read([HOST, V6]);
    expect([...results]).toEqual(
      expect.arrayContaining([
        [HOST, { readError: `${await base} responded with 500 for ${HOST}` }],
        [V6, { cpus: 4 }],
      ]),
    );
  });

  test('sends at most eight concurrent requests and stops after a fatal status', async () => {
    respond = () => ({ status: 503, body: '' });
    const hosts = Array.from({ length: 100 }, (_, index) => `127.0.0.${index}` as Address);
    await expect(open({ url: `${await base}/{address}` }).read(hosts)).rejects.toThrow(/responded with 503/);
    expect(requests.length).toBeLessThanOrEqual(8);
  });

  test('does not send a token over http', async () => {
    const token_path = path.join(folder, 'token');
    writeFileSync(token_path, 'hunter2\n');
    const reading = open({ url: `${await base}/{address}`, token_path }).read([HOST]);
    await expect(reading).rejects.toThrow(/unencrypted; use an https URL/);
    expect(requests).toEqual([]);
  });
});

describe('http host source with TLS', () => {
  const { cert, key } = createCertificate(path.join(folder, 'tls'));
  const authorizations: (string | undefined)[] = [];
  const server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    authorizations.push(request.headers.authorization);
    response.end('{"cpus": 4}');
  });
  const base = listen(server).then(port => `https://127.0.0.1:${port}`);
  afterAll(() => void server.close());

  test('reads the token file for each use', async () => {
    const token_path = path.join(folder, 'token');
    const source = open({ url: `${await base}/{address}`, ca_path: cert, token_path });
    for (const token of ['first', 'second']) {
      writeFileSync(token_path, `${token}\n`);
      expect(await source.read([HOST])).toEqual(new Map([[HOST, { cpus: 4 }]]));
    }
    expect(authorizations).toEqual(['Bearer first', 'Bearer second']);
  });

  test('rejects an unknown CA and unreadable files', async () => {
    const url = `${await base}/{address}`;
    await expect(open({ url }).read([HOST])).rejects.toThrow(/set ca_path/);
    await expect(open({ url, ca_path: '/none' }).read([HOST])).rejects.toThrow('ca_path: /none cannot be read');
    const withoutToken = open({ url, ca_path: cert, token_path: '/none' }).read([HOST]);
    await expect(withoutToken).rejects.toThrow('token_path: /none cannot be read');
    writeFileSync(path.join(folder, 'two-lines'), 'hunter2\nhunter2');
    const withTwoLines = open({ url, ca_path: cert, token_path: path.join(folder, 'two-lines') }).read([HOST]);
    await expect(withTwoLines).rejects.toThrow(/must contain a token/);
    await expect(withTwoLines).rejects.not.toThrow(/hunter2/);
  });
});
