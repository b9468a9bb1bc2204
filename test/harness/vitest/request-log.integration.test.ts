import path from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT } from '../programs/process.ts';
import { runVitest } from './run-vitest.ts';

/** Another file of the same process. */
const OTHER_FILE = `
  test('other file', async () => {
    await fetch('http://127.0.0.1:2/other-file', { method: 'PUT' }).catch(() => {});
    throw new Error('third test');
  });
`;

const UNDICI = path.join(PROJECT, 'node_modules/undici/index.js');

/** The server returns 404 for `/missing`. All tests fail. */
const FILES = {
  'another.test.js': OTHER_FILE,
  'last.test.js': OTHER_FILE.replace('third', 'fourth'),
  'requests.test.js': `
    import { createServer, request } from 'node:http';
    import { once } from 'node:events';
    import undici from '${UNDICI}';

    const server = createServer((received, response) => {
      received.resume().on('end', () => {
        response.statusCode = received.url === '/missing' ? 404 : 200;
        response.end(JSON.stringify({ code: received.url === '/missing' ? 'not_found' : 'ok' }));
      });
    });
    let url;
    const send = async (path, options) => { await (await fetch(url + path, options)).text(); };
    const fail = message => { throw new Error(message); };

    beforeAll(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      url = 'http://127.0.0.1:' + server.address().port;
      await send('/setup', { method: 'PUT' });
    });
    afterAll(() => server.close());

    test('fetch', async () => {
      const authorization = 'Basic ' + btoa('ann:very-secret');
      const json = 'application/json';
      await send('/a', {
        method: 'PUT',
        body: '{"x":1}',
        headers: { authorization, 'If-Match': '"7"', 'Idempotency-Key': 'k', 'content-type': json },
      });
      await send('/b', { method: 'DELETE', body: 'text' });
      await (await fetch(new Request(url + '/c', { method: 'PUT' }))).text();
      for (let poll = 0; poll < 20; poll += 1) await send('/missing');
      fail('first test');
    });

    test('other clients', async () => {
      const options = { method: 'PUT', body: 'client_secret=very-secret' };
      await (await undici.request(url + '/undici', options)).body.dump();
      await (await undici.request(url + '/undici', options)).body.dump();
      for (const [first, ...rest] of [['{"y":2}'], ['{"y":2}'], ['{"y":', '3}']]) {
        const sent = request(url + '/node', { method: 'PUT', headers: { 'if-match': '"8"' } });
        if (rest.length > 0) sent.write(first);
        sent.end(rest[0] ?? first);
        const [response] = await once(sent, 'response');
        await once(response.resume(), 'end');
      }
      fail('second test');
    });

    describe('suite', () => {
      beforeAll(async () => {
        await send('/before-all', { method: 'PUT' });
        fail('failed hook');
      });
      test('skipped', () => {});
    });
  `,
};

const OPTIONS = `{
  setupFiles: ['${import.meta.dirname}/request-log-setup.ts'],
  runner: '${import.meta.dirname}/request-log-runner.ts',
}`;

test('the errors of failed tests and hooks contain the last requests', async () => {
  const { output } = await runVitest(FILES, OPTIONS);
  const messages = output.replaceAll(/127\.0\.0\.1:\d{2,}/g, 'host');
  const expectMessage = (...lines: readonly string[]) => expect(messages).toContain(`${lines.join('\n')}\n`);
  expectMessage(
    'Error: first test',
    '',
    'Last requests before this test:',
    '  PUT http://host/setup -> 200',
    '',
    '',
    'Last requests of this test:',
    '  PUT http://host/a as ann [if-match: "7", idempotency-key: k] {"x":1} -> 200',
    '  DELETE http://host/b [content-type: text/plain;charset=UTF-8] text -> 200',
    '  PUT http://host/c -> 200',
    '  GET http://host/missing -> 404 {"code":"not_found"} (20 times)',
    '',
  );
  expectMessage(
    'Error: second test',
    '',
    'Last requests of this test:',
    '  PUT http://host/undici -> 200',
    '  PUT http://host/undici -> 200',
    '  PUT http://host/node [if-match: "8"] {"y":2} -> 200 (2 times)',
    '  PUT http://host/node [if-match: "8"] {"y":3} -> 200',
    '',
  );
  expectMessage('Error: failed hook', '', 'Last requests of this suite:', '  PUT http://host/before-all -> 200', '');
  for (const name of ['third', 'fourth'])
    expectMessage(
      `Error: ${name} test`,
      '',
      'Last requests of this test:',
      '  PUT http://127.0.0.1:2/other-file -> Error: connect ECONNREFUSED 127.0.0.1:2',
    );
  expect(output.split('very-secret').length).toBe(1);
});
