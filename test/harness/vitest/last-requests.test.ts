import { beforeEach, expect, test } from 'vitest';
import { clearRequests, formatLastRequests, markTestStart, recordRequest } from './last-requests.ts';

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
