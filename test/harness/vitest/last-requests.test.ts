import { beforeEach, expect, test } from 'vitest';
import { clearRequests, formatLastRequests, markTestStart, recordCommand, recordRequest } from './last-requests.ts';

beforeEach(() => clearRequests());

function send(method: string, target: string, result = '200'): void {
  recordRequest({ method, target }).result = result;
}

const format = () => formatLastRequests('test').trim().split('\n');

test('formatLastRequests merges equal consecutive requests', () => {
  for (let poll = 0; poll < 190; poll += 1) send('GET', '/a');
  send('GET', '/a', '503');
  send('GET', '/b');
  send('GET', '/a');
  expect(format()).toEqual([
    'Last requests of this test:',
    '  GET /a -> 200 (190 times)',
    '  GET /a -> 503',
    '  GET /b -> 200',
    '  GET /a -> 200',
  ]);
});

test('formatLastRequests does not merge requests without a response', () => {
  const first = recordRequest({ method: 'GET', target: '/a' });
  recordRequest({ method: 'GET', target: '/a' });
  first.result = '200';
  expect(format().slice(1)).toEqual(['  GET /a -> 200', '  GET /a']);
});

test('the last requests contain the last changes, although a test polls several paths after them', () => {
  for (let change = 1; change <= 6; change += 1) send('PUT', `/${change}`, '201');
  for (let poll = 0; poll < 20; poll += 1) for (const path of ['/a', '/b']) send('GET', path);
  const polls = Array.from({ length: 4 }, () => ['  GET /a -> 200', '  GET /b -> 200']).flat();
  expect(format().slice(1)).toEqual([...[3, 4, 5, 6].map(change => `  PUT /${change} -> 201`), ...polls]);
});

test('formatLastRequests separates requests before the test', () => {
  send('GET', '/a');
  markTestStart();
  send('GET', '/a');
  expect(formatLastRequests('test')).toBe(
    '\n\nLast requests before this test:\n  GET /a -> 200\n\n\nLast requests of this test:\n  GET /a -> 200\n',
  );
});

test('formatLastRequests returns an empty text without requests', () => {
  expect(formatLastRequests('suite')).toBe('');
});

test.each([
  [
    'a secret',
    '{"password":"abc", "ssh_priv_key": "d\\"e", "port":22}',
    '{"password":"…", "ssh_priv_key": "…", "port":22}',
  ],
  ['a secret in a form', 'grant=x&client_secret=abc&port=22', 'grant=x&client_secret=…&port=22'],
  ['a long string', `{"hosts":["${'h'.repeat(300)}","b"]}`, `{"hosts":["${'h'.repeat(199)}…","b"]}`],
  ['an incomplete string', `{"password":"${'p'.repeat(200_000)}`, '{"password":"…'],
  ['an incomplete long string', `{"q":"${'h'.repeat(200_000)}`, `{"q":"${'h'.repeat(199)}…"`],
  ['long text', '[\n'.repeat(3000), '[ '.repeat(1000)],
  ['an empty secret', '{"password":""}', '{"password":""}'],
])('the last requests shorten a body with %s', (_content, body, expected) => {
  recordRequest({ method: 'PUT', target: '/a' }).body.append(body);
  expect(formatLastRequests('test')).toContain(`  PUT /a ${expected}\n`);
});

test('the last requests contain commands without their secrets', () => {
  recordCommand('hostler', 'network create a --option token=abc').result = 'exit 2';
  expect(format().slice(1)).toEqual(['  hostler network create a --option token=… -> exit 2']);
});
